// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What happens to a server, for whoever watches it.
package enum ServiceEvent: Sendable, Equatable {
  /// It listens.
  case ready(socket: String, process: Int32)
  /// It runs a client's command.
  case accepted(client: Int32, command: String)
  /// It leaves a command to its client.
  case refused(client: Int32, ServiceRefusal)
  /// A command has ended.
  case ended(client: Int32, code: Int32)
  /// A client has gone before its command had ended, which is told to end.
  case abandoned(client: Int32)
  /// It has no broker, for this reason: from now on sessions begin as they do without a server.
  case brokerless(String)
  /// It was told to stop: it takes no more clients, and the sessions are dismissed.
  case stopping(commands: Int)
  /// The last session is handed over.
  case stopped

  /// The event as one line for programs.
  package var json: JSONValue {
    switch self {
    case .ready(let socket, let process):
      ["event": "ready", "socket": .string(socket), "process": .integer(Int64(process))]
    case .accepted(let client, let command):
      ["event": "accepted", "client": .integer(Int64(client)), "command": .string(command)]
    case .refused(let client, let refusal):
      .object([
        "event": "refused", "client": .integer(Int64(client)), "reason": .string(refusal.word),
        "of": refusal.subject.map(JSONValue.string),
      ])
    case .ended(let client, let code):
      ["event": "ended", "client": .integer(Int64(client)), "code": .integer(Int64(code))]
    case .abandoned(let client): ["event": "abandoned", "client": .integer(Int64(client))]
    case .brokerless(let reason): ["event": "brokerless", "reason": .string(reason)]
    case .stopping(let commands): ["event": "stopping", "commands": .integer(Int64(commands))]
    case .stopped: ["event": "stopped"]
    }
  }
}
