// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LinuxPrimitives

/// What a client says while its command runs.
package enum ServiceNote: Sendable, Equatable {
  /// The command shall begin. Without it nothing does: whoever was not answered in time does it themselves, and it must
  /// not be done twice.
  case begin
  /// It was sent a signal, which is meant for whoever runs the session.
  case signal(Signal)
  /// It was stopped at its terminal: what is typed there is somebody else's.
  case suspended
  /// It goes on.
  case resumed

  /// The most bytes that a note has.
  package static let mostBytes = 256

  /// The signals that a client passes on.
  package static let signals: [Signal] = [.terminate, .interrupt, .hangup, .quit]

  /// The note as it is sent.
  package var json: JSONValue {
    switch self {
    case .begin: ["command": "begin"]
    case .signal(let signal): ["signal": .integer(Int64(signal.rawValue))]
    case .suspended: ["terminal": "suspended"]
    case .resumed: ["terminal": "resumed"]
    }
  }

  /// Reads a note; nil: it is none.
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
