// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What a server says to a client.
package enum ServiceReply: Sendable, Equatable {
  /// The command begins as soon as the client says so: from then on it is the server's.
  case accepted(process: Int32)
  /// The client has to do it itself.
  case refused(ServiceRefusal)
  /// The command has ended, and has let go of everything of the client's.
  case ended(code: Int32)
  /// Who is there.
  case state(ServiceState)

  /// The most bytes that a reply has.
  package static let mostBytes = 4096

  /// The reply as it is sent.
  package var json: JSONValue {
    switch self {
    case .accepted(let process): ["reply": "accepted", "process": .integer(Int64(process))]
    case .refused(let refusal):
      .object([
        "reply": "refused", "reason": .string(refusal.word), "of": refusal.subject.map(JSONValue.string),
      ])
    case .ended(let code): ["reply": "ended", "code": .integer(Int64(code))]
    case .state(let state):
      .object([
        "reply": "state", "version": .string(state.version), "process": .integer(Int64(state.process)),
        "commands": .integer(Int64(state.commands)), "unlike": state.difference.map(JSONValue.string),
        "supply": state.supply.json,
      ])
    }
  }

  /// Reads a reply; nil: it is none that this version knows.
  package init?(_ bytes: [UInt8]) {
    guard let value = try? JSONNode.parse(bytes).value else { return nil }
    func number(_ name: String) -> Int32? { value[name]?.integer.flatMap { Int32(exactly: $0) } }
    switch value["reply"]?.string {
    case "accepted":
      guard let process = number("process") else { return nil }
      self = .accepted(process: process)
    case "refused":
      guard let word = value["reason"]?.string,
        let refusal = ServiceRefusal(word, of: value["of"]?.string)
      else { return nil }
      self = .refused(refusal)
    case "ended":
      guard let code = number("code") else { return nil }
      self = .ended(code: code)
    case "state":
      guard let version = value["version"]?.string, let process = number("process"),
        let commands = number("commands"), let supply = ServiceSupply(value["supply"])
      else { return nil }
      self = .state(
        ServiceState(
          version: version,
          process: process,
          commands: Int(commands),
          supply: supply,
          difference: value["unlike"]?.string
        )
      )
    default: return nil
    }
  }
}

/// What a server says of itself.
package struct ServiceState: Sendable, Equatable {
  /// Its version.
  package var version: String
  /// The number of its process.
  package var process: Int32
  /// How many commands it runs now.
  package var commands: Int
  /// What it keeps between them.
  package var supply: ServiceSupply
  /// In what the client that has asked stands otherwise than the server, so that it is served nothing; nil: in nothing.
  package var difference: String?

  /// Describes a server.
  package init(version: String, process: Int32, commands: Int, supply: ServiceSupply, difference: String?) {
    self.version = version
    self.process = process
    self.commands = commands
    self.supply = supply
    self.difference = difference
  }
}

/// Why a server leaves a command to its client.
package enum ServiceRefusal: Error, Sendable, Equatable {
  /// The server is of another version.
  case version(String)
  /// The server is another user's.
  case user
  /// The client stands otherwise than the server, in this: what it may do is not what the server may.
  case unlike(String)
  /// There are too many clients.
  case busy
  /// The server is being stopped.
  case stopping
  /// The server does not run commands like this one.
  case notServed
  /// This is no request.
  case malformed
  /// The server lacks something.
  case server(String)

  /// Reads a refusal.
  init?(_ word: String, of subject: String?) {
    switch (word, subject) {
    case ("version", let version?): self = .version(version)
    case ("user", _): self = .user
    case ("unlike", let fact?): self = .unlike(fact)
    case ("busy", _): self = .busy
    case ("stopping", _): self = .stopping
    case ("notServed", _): self = .notServed
    case ("malformed", _): self = .malformed
    case ("server", let error?): self = .server(error)
    default: return nil
    }
  }

  /// The word for programs.
  package var word: String {
    switch self {
    case .version: "version"
    case .user: "user"
    case .unlike: "unlike"
    case .busy: "busy"
    case .stopping: "stopping"
    case .notServed: "notServed"
    case .malformed: "malformed"
    case .server: "server"
    }
  }

  /// What it is about, where the word does not say it all.
  package var subject: String? {
    switch self {
    case .version(let text), .unlike(let text), .server(let text): text
    case .user, .busy, .stopping, .notServed, .malformed: nil
    }
  }
}
