// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The first message of a client: one packet, with the descriptors of the command.
package struct ServiceRequest: Sendable, Equatable {
  /// The version of the client.
  package var version: String
  /// The requested operation.
  package var wish: Wish

  /// The operations of a server.
  package enum Wish: Sendable, Equatable {
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
    package var mask: UInt32
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
    package init(words: [String], environment: [String: String], mask: UInt32, terminal: Terminal) {
      self.words = words
      self.environment = environment
      self.mask = mask
      self.terminal = terminal
    }
  }

  /// Creates a request.
  package init(version: String, wish: Wish) {
    self.version = version
    self.wish = wish
  }

  /// The maximum size of a request in bytes: twice the kernel's limit for a packet on most machines.
  package static let mostBytes = 512 << 10

  /// The number of descriptors of a command without a terminal: its working directory, standard input, output
  /// and error.
  package static let leastDescriptors = 4
}

extension ServiceRequest {
  /// The request as JSON.
  package var json: JSONValue {
    switch wish {
    case .state: ["darkroom": .string(version), "request": "state"]
    case .run(let call):
      [
        "darkroom": .string(version), "request": "run", "words": .array(call.words.map(JSONValue.string)),
        "environment": .object(
          call.environment.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }
        ),
        "mask": .integer(Int64(call.mask)), "terminal": .string(call.terminal.rawValue),
      ]
    }
  }

  /// Returns the parsed request, or `nil` if it is not valid. The version is read first, because other
  /// versions may encode the rest differently.
  package static func read(_ bytes: [UInt8]) -> Reading? {
    guard let value = try? JSONNode.parse(bytes).value, let version = value["darkroom"]?.string else {
      return nil
    }
    let wish: Wish?
    switch value["request"]?.string {
    case "state": wish = .state
    case "run": wish = Call(value).map(Wish.run)
    default: wish = nil
    }
    return Reading(version: version, wish: wish)
  }

  /// A parsed request.
  package struct Reading: Sendable, Equatable {
    /// The version of the client.
    package var version: String
    /// The requested operation, or `nil` if this version does not know it.
    package var wish: Wish?

    /// Creates a parsed request.
    package init(version: String, wish: Wish?) {
      self.version = version
      self.wish = wish
    }
  }
}

extension ServiceRequest.Call {
  /// Creates a command from JSON, or returns `nil` if it is not valid.
  fileprivate init?(_ value: JSONValue) {
    guard let words = value["words"]?.elements, let environment = value["environment"]?.members,
      let mask = value["mask"]?.integer, (0...0o777).contains(mask),
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
    self.mask = UInt32(mask)
    self.terminal = terminal
  }
}
