// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The parameters of `content/room`: the space that a session has for captured content.
package struct ContentRoom: Equatable, Sendable {
  /// The state of the space.
  package enum State: String, CaseIterable, Sendable {
    /// There is enough space.
    case free
    /// Little space is left.
    case low
    /// There is no space: files cannot grow until something is deleted.
    case full
  }

  /// The limit that is reached first.
  package enum Reason: String, CaseIterable, Sendable {
    /// The limit of the session.
    case session
    /// The limit of the app's pending content.
    case app
    /// The free space of the file system.
    case disk
  }

  /// The state of the space.
  package var state: State
  /// The limit that is reached first.
  package var reason: Reason
  /// The number of bytes that can still be written.
  package var bytes: Int64
  /// The number of files and directories that can still be created.
  package var files: Int64

  /// Creates a value.
  package init(_ state: State, _ reason: Reason, bytes: Int64, files: Int64) {
    self.state = state
    self.reason = reason
    self.bytes = bytes
    self.files = files
  }

  /// The parameters of the message.
  var json: JSONValue {
    .object([
      "state": .string(state.rawValue), "reason": .string(reason.rawValue), "bytes": .integer(bytes),
      "files": .integer(files),
    ])
  }

  /// Creates a value from the parameters of a message.
  init(from fields: FieldReader) throws(ProtocolViolation) {
    state = try fields.choice("state")
    reason = try fields.choice("reason")
    bytes = Int64(try fields.integer("bytes", in: 0...Int.max))
    files = Int64(try fields.integer("files", in: 0...Int.max))
  }
}
