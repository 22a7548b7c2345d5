// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What a client says first: one packet, with the descriptors that ``Streams`` names.
package struct ServiceRequest: Sendable, Equatable {
  /// The version of Darkroom that the client is.
  package var version: String
  /// What it wants.
  package var wish: Wish

  /// What a client wants.
  package enum Wish: Sendable, Equatable {
    /// A command is to be run.
    case run(Call)
    /// Who is there?
    case state
  }

  /// A command, with what it would find around it in the client's process.
  package struct Call: Sendable, Equatable {
    /// Its words, without the program's name.
    package var words: [String]
    /// The client's whole environment; the server's own is nobody's.
    package var environment: [String: String]
    /// The client's mask of file modes.
    package var mask: UInt32
    /// Whether the client has a terminal at which a person could be asked.
    package var terminal: Terminal

    /// Whether a client has a controlling terminal.
    package enum Terminal: String, Sendable {
      /// It has; its descriptor is the last.
      case given
      /// It has none.
      case none
    }

    /// Describes a command.
    package init(words: [String], environment: [String: String], mask: UInt32, terminal: Terminal) {
      self.words = words
      self.environment = environment
      self.mask = mask
      self.terminal = terminal
    }
  }

  /// Makes a request.
  package init(version: String, wish: Wish) {
    self.version = version
    self.wish = wish
  }

  /// The most bytes that a request has: twice what the kernel lets one packet have on most machines.
  package static let mostBytes = 512 << 10

  /// How many descriptors a command brings without a terminal: its current directory, and its standard input, output
  /// and error.
  package static let leastDescriptors = 4
}

extension ServiceRequest {
  /// The request as it is sent.
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

  /// Reads a request; nil: it is none. The version is read before anything else of it, because another version may say the
  /// rest in another way.
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

  /// What was read of a request.
  package struct Reading: Sendable, Equatable {
    /// The client's version.
    package var version: String
    /// What it wants; nil: nothing that this version knows.
    package var wish: Wish?

    /// Names what was read.
    package init(version: String, wish: Wish?) {
      self.version = version
      self.wish = wish
    }
  }
}

extension ServiceRequest.Call {
  /// Reads a command.
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
