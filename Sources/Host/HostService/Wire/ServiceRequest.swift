// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The first message of a client: one packet, with the descriptors of the command.
package struct ServiceRequest: Sendable, Equatable {
  /// The version of the client.
  package var version: String
  /// The requested operation.
  package var operation: Operation

  /// The operations of a server.
  package enum Operation: Sendable, Equatable {
    /// Run a command.
    case run(Call)
    /// Report the state of the server.
    case state
  }

  /// A command, and the properties of the client's process that it depends on.
  package struct Call: Sendable, Equatable {
    /// The arguments, without the program's name.
    package var words: [String]
    /// The client's complete environment. The server's environment is not used.
    package var environment: [String: String]
    /// The client's file mode mask (umask(2)).
    package var fileModeMask: UInt32
    /// Whether the client has a terminal at which the user can be prompted.
    package var terminal: Terminal

    /// Whether a client has a controlling terminal.
    package enum Terminal: String, Sendable {
      /// The client has a terminal; its descriptor is the last one.
      case given
      /// The client has no terminal.
      case none
    }

    /// Creates a command.
    package init(words: [String], environment: [String: String], fileModeMask: UInt32, terminal: Terminal) {
      self.words = words
      self.environment = environment
      self.fileModeMask = fileModeMask
      self.terminal = terminal
    }
  }

  /// Creates a request.
  package init(version: String, operation: Operation) {
    self.version = version
    self.operation = operation
  }

  /// The maximum size of a request in bytes: twice the kernel's limit for a packet on most machines.
  package static let maximumBytes = 512 << 10

  /// The number of descriptors of a command without a terminal: its working directory, standard input, output
  /// and error.
  package static let minimumDescriptors = 4
}

extension ServiceRequest {
  /// The request as JSON.
  package var json: JSONValue {
    switch operation {
    case .state: ["darkroom": .string(version), "request": "state"]
    case .run(let call):
      [
        "darkroom": .string(version), "request": "run", "words": .array(call.words.map(JSONValue.string)),
        "environment": .object(
          call.environment.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }
        ),
        "mask": .integer(Int64(call.fileModeMask)), "terminal": .string(call.terminal.rawValue),
      ]
    }
  }

  /// Returns the parsed request, or `nil` if it is not valid. The version is read first, because other
  /// versions may encode the rest differently.
  package static func read(_ bytes: [UInt8]) -> Reading? {
    guard let value = try? JSONNode.parse(bytes).value, let version = value["darkroom"]?.string else {
      return nil
    }
    let operation: Operation?
    switch value["request"]?.string {
    case "state": operation = .state
    case "run": operation = Call(value).map(Operation.run)
    default: operation = nil
    }
    return Reading(version: version, operation: operation)
  }

  /// A parsed request.
  package struct Reading: Sendable, Equatable {
    /// The version of the client.
    package var version: String
    /// The requested operation, or `nil` if this version does not know it.
    package var operation: Operation?

    /// Creates a parsed request.
    package init(version: String, operation: Operation?) {
      self.version = version
      self.operation = operation
    }
  }
}

extension ServiceRequest.Call {
  /// Creates a command from JSON, or returns `nil` if it is not valid.
  fileprivate init?(_ value: JSONValue) {
    guard let words = value["words"]?.elements, let environment = value["environment"]?.members,
      let fileModeMask = value["mask"]?.integer, (0...0o777).contains(fileModeMask),
      let terminal = (value["terminal"]?.string).flatMap(Terminal.init)
    else { return nil }
    self.words = words.compactMap(\.string)
    guard self.words.count == words.count else { return nil }
    self.environment = [:]
    for member in environment {
      guard let text = member.value.string, !member.name.isEmpty, !member.name.contains("="),
        !member.name.utf8.contains(0), !text.utf8.contains(0)
      else { return nil }
      self.environment[member.name] = text
    }
    self.fileModeMask = UInt32(fileModeMask)
    self.terminal = terminal
  }
}
