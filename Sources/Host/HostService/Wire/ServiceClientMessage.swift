// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LinuxPrimitives

/// A message from a client whose command is running.
package enum ServiceClientMessage: Sendable, Equatable {
  /// Confirms the start of the command, which does not start without it. A client that receives no reply in
  /// time runs the command itself, and the command must not run twice.
  case begin
  /// The client received a signal that is meant for the session.
  case signal(Signal)
  /// The client was stopped at its terminal and must not receive keys.
  case suspended
  /// The client was continued.
  case resumed

  /// The maximum size of a message, in bytes.
  package static let maximumBytes = 256

  /// The signals that a client forwards.
  package static let signals: [Signal] = [.terminate, .interrupt, .hangup, .quit]

  /// The message as JSON.
  package var json: JSONValue {
    switch self {
    case .begin: ["command": "begin"]
    case .signal(let signal): ["signal": .integer(Int64(signal.rawValue))]
    case .suspended: ["terminal": "suspended"]
    case .resumed: ["terminal": "resumed"]
    }
  }

  /// Creates a message from JSON, or returns `nil` if it is not valid.
  package init?(_ bytes: [UInt8]) {
    guard let value = try? JSONNode.parse(bytes).value else { return nil }
    if let number = value["signal"]?.integer {
      guard let signal = Self.signals.first(where: { Int64($0.rawValue) == number }) else { return nil }
      self = .signal(signal)
      return
    }
    if value["command"]?.string == "begin" {
      self = .begin
      return
    }
    switch value["terminal"]?.string {
    case "suspended": self = .suspended
    case "resumed": self = .resumed
    default: return nil
    }
  }
}
