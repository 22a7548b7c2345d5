// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// How much room a session has for what it captures: `content/room`.
package struct ContentRoom: Equatable, Sendable {
  /// How it stands.
  package enum State: String, CaseIterable, Sendable {
    /// There is room.
    case free
    /// Little is left.
    case low
    /// There is none: files cannot grow until something is deleted.
    case full
  }

  /// What the room ends at.
  package enum Reason: String, CaseIterable, Sendable {
    /// The limit of the session.
    case session
    /// What may wait for the app in all.
    case app
    /// The file system.
    case disk
  }

  /// How it stands.
  package var state: State
  /// What it ends at first.
  package var reason: Reason
  /// How many bytes can still be written.
  package var bytes: Int64
  /// How many files and directories can still be made.
  package var files: Int64

  /// Describes room.
  package init(_ state: State, _ reason: Reason, bytes: Int64, files: Int64) {
    self.state = state
    self.reason = reason
    self.bytes = bytes
    self.files = files
  }

  /// The parameters as they are sent.
  var json: JSONValue {
    .object([
      "state": .string(state.rawValue), "reason": .string(reason.rawValue), "bytes": .integer(bytes),
      "files": .integer(files),
    ])
  }

  /// Reads parameters.
  init(from fields: FieldReader) throws(ProtocolViolation) {
    state = try fields.choice("state")
    reason = try fields.choice("reason")
    bytes = Int64(try fields.integer("bytes", in: 0...Int.max))
    files = Int64(try fields.integer("files", in: 0...Int.max))
  }
}
