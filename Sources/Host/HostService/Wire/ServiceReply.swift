// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A reply of a server to a client.
package enum ServiceReply: Sendable, Equatable {
  /// The server starts the command as soon as the client confirms it.
  case accepted(process: Int32)
  /// The server refuses the command; the client has to run it.
  case refused(ServiceRefusal)
  /// The command exited, and all descriptors of the client are closed.
  case ended(code: Int32)
  /// The state of the server.
  case state(ServiceState)

  /// The maximum size of a reply, in bytes.
  package static let maximumBytes = 4096

  /// The reply as JSON.
  package var json: JSONValue {
    switch self {
    case .accepted(let process): ["reply": "accepted", "process": .integer(Int64(process))]
    case .refused(let refusal):
      .object([
        "reply": "refused", "reason": .string(refusal.word), "of": refusal.detail.map(JSONValue.string),
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

  /// Creates a reply from JSON, or returns `nil` if this version does not know it.
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
        let commands = number("commands"), let supply = PrewarmingStatus(value["supply"])
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

/// The state that a server reports.
package struct ServiceState: Sendable, Equatable {
  /// The version of the server.
  package var version: String
  /// The PID of the server.
  package var process: Int32
  /// The number of commands that are running.
  package var commands: Int
  /// The state of prewarming.
  package var supply: PrewarmingStatus
  /// The difference between the credentials of the client and the server because of which the client would be
  /// refused, or `nil` if there is none.
  package var difference: String?

  /// Creates the state of a server.
  package init(version: String, process: Int32, commands: Int, supply: PrewarmingStatus, difference: String?)
  {
    self.version = version
    self.process = process
    self.commands = commands
    self.supply = supply
    self.difference = difference
  }
}

/// A reason why a server refuses a command.
package enum ServiceRefusal: Error, Sendable, Equatable {
  /// The server has another version, which is the associated value.
  case version(String)
  /// The server belongs to another user.
  case user
  /// The credentials of the client and the server differ. The associated value names the difference.
  case differentCredentials(String)
  /// The maximum number of clients is reached.
  case busy
  /// The server is stopping.
  case stopping
  /// The server does not run this command.
  case unsupportedCommand
  /// The request is not valid.
  case malformed
  /// The server failed for the given reason.
  case server(String)

  /// Creates a refusal from its code and detail, or returns `nil` if they are unknown.
  init?(_ word: String, of subject: String?) {
    switch (word, subject) {
    case ("version", let version?): self = .version(version)
    case ("user", _): self = .user
    case ("unlike", let fact?): self = .differentCredentials(fact)
    case ("busy", _): self = .busy
    case ("stopping", _): self = .stopping
    case ("notServed", _): self = .unsupportedCommand
    case ("malformed", _): self = .malformed
    case ("server", let error?): self = .server(error)
    default: return nil
    }
  }

  /// The code in JSON.
  package var word: String {
    switch self {
    case .version: "version"
    case .user: "user"
    case .differentCredentials: "unlike"
    case .busy: "busy"
    case .stopping: "stopping"
    case .unsupportedCommand: "notServed"
    case .malformed: "malformed"
    case .server: "server"
    }
  }

  /// The detail of the refusal, or `nil` if the code is sufficient.
  package var detail: String? {
    switch self {
    case .version(let text), .differentCredentials(let text), .server(let text): text
    case .user, .busy, .stopping, .unsupportedCommand, .malformed: nil
    }
  }
}
