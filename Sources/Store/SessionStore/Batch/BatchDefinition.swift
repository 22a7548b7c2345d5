// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The properties that all runs of a batch have in common.
package struct BatchDefinition: Equatable, Sendable {
  /// The name, which is also the name of a directory.
  package let name: String
  /// The ID of the app that receives the content.
  package let app: String
  /// The program and its arguments.
  package let command: [String]

  /// Creates a definition. The name must be valid as the name of a directory.
  package init(name: String, app: String, command: [String]) {
    self.name = name
    self.app = app
    self.command = command
  }

  /// Returns whether two definitions have the same bytes. Equal strings can be the names of different files.
  package static func == (left: BatchDefinition, right: BatchDefinition) -> Bool {
    let (one, other) = ([left.name, left.app] + left.command, [right.name, right.app] + right.command)
    return one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
  }
}

extension BatchDefinition {
  /// The version of the format that this code writes and reads.
  static let version: Int64 = 1

  /// The definition as the first line of a ledger.
  var json: JSONValue {
    [
      "version": .integer(Self.version), "batch": .string(name), "app": .string(app),
      "command": .array(command.map(JSONValue.string)),
    ]
  }

  /// Parses the first line of a ledger.
  init(_ reader: DocumentReader) throws(DocumentFault) {
    guard try reader.integer("version") == Self.version else {
      throw reader.fault("version", "\(Self.version)")
    }
    let words = reader.value["command"]?.elements?.map(\.string) ?? []
    guard !words.isEmpty, !words.contains(nil) else {
      throw reader.fault("command", "a nonempty array of strings")
    }
    self.init(
      name: try reader.string("batch"),
      app: try reader.string("app"),
      command: words.compactMap(\.self)
    )
  }
}
