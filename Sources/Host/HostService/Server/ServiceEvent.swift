// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// An event of a server, for logs and monitoring programs.
package enum ServiceEvent: Sendable, Equatable {
  /// The server is listening for commands at a socket, and for programs at another one unless that is `nil`.
  case ready(socket: String, programs: String?, process: Int32)
  /// The server started a client's command.
  case accepted(client: Int32, command: String)
  /// The server refused a client.
  case refused(client: Int32, ServiceRefusal)
  /// A command exited.
  case ended(client: Int32, code: Int32)
  /// A client disconnected before its command exited. The command is terminated.
  case abandoned(client: Int32)
  /// The broker is unavailable for this reason. From now on sessions start as they do without a server.
  case brokerUnavailable(String)
  /// The server received a stop request. It accepts no more clients, and the sessions are dismissed.
  case stopping(commands: Int)
  /// The last session has been migrated.
  case stopped

  /// The event as a JSON object, for one line of output.
  package var json: JSONValue {
    switch self {
    case .ready(let socket, let programs, let process):
      .object([
        "event": "ready", "socket": .string(socket), "programs": programs.map(JSONValue.string),
        "process": .integer(Int64(process)),
      ])
    case .accepted(let client, let command):
      ["event": "accepted", "client": .integer(Int64(client)), "command": .string(command)]
    case .refused(let client, let refusal):
      .object([
        "event": "refused", "client": .integer(Int64(client)), "reason": .string(refusal.word),
        "of": refusal.detail.map(JSONValue.string),
      ])
    case .ended(let client, let code):
      ["event": "ended", "client": .integer(Int64(client)), "code": .integer(Int64(code))]
    case .abandoned(let client): ["event": "abandoned", "client": .integer(Int64(client))]
    case .brokerUnavailable(let reason): ["event": "brokerless", "reason": .string(reason)]
    case .stopping(let commands): ["event": "stopping", "commands": .integer(Int64(commands))]
    case .stopped: ["event": "stopped"]
    }
  }
}
