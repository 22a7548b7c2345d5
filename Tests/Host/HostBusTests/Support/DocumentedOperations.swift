// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HostBus

/// The operations of the documented methods, with sample arguments.
enum DocumentedOperations {
  /// A method of an interface, and its operation.
  struct Method {
    /// The name with its interface, for messages.
    let name: String
    /// The signature of the reply.
    let output: String
    /// The operation.
    let operation: HostOperation
  }

  /// The interfaces of the service, with an object of each.
  static let objects: [BusObject] = [
    .manager, .app("a.b"), .captureExtension(app: "a.b", "a.b.c"), .session("id"),
  ]

  /// Returns all methods except `GetResult`, which has no operation: the service waits for each result.
  static func methods() throws -> [Method] {
    try objects.flatMap { object in
      try object.interface.description.methods.filter { $0.key != "GetResult" }.map { name, method in
        Method(
          name: "\(object.interface.rawValue).\(name)",
          output: method.output,
          operation: try HostOperation.operation(name, of: object, arguments(method.input))
        )
      }
    }
  }

  /// Returns an argument for each type of a signature of a method.
  private static func arguments(_ signature: String) -> BusArguments {
    let samples: [(String, BusValue)] = [
      ("a{sv}", .dictionary([])), ("as", .strings([])), ("s", .string("text")), ("b", .bool(true)),
      ("o", .objectPath(BusObject.app("a.b").path)), ("u", .uint32(80)), ("t", .uint64(0)), ("d", .double(1)),
      ("v", .variant(.double(1))),
    ]
    var rest = Substring(signature)
    var values: [BusValue] = []
    while let sample = samples.first(where: { rest.hasPrefix($0.0) }) {
      values.append(sample.1)
      rest = rest.dropFirst(sample.0.count)
    }
    #expect(rest.isEmpty, "\(signature)")
    return BusArguments(values)
  }
}
