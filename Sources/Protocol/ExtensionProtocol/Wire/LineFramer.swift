// SPDX-License-Identifier: Apache-2.0

/// A buffer that splits bytes from a pipe into lines.
///
/// Call ``push(_:at:)`` with the bytes that were read, then ``next()`` until it returns `nil`. The lines
/// before one that is too long are returned first.
package struct LineFramer: Sendable {
  /// The maximum length of a line in bytes, without its newline.
  private let limit: Int
  /// The pushed bytes; those before `start` have been returned.
  private var buffer: [UInt8] = []
  /// The index of the first line that was not returned.
  private var start = 0
  /// The index up to which the buffer has been searched for a newline.
  private var searched = 0
  /// The time at which the first byte of an incomplete line arrived, or `nil` if there is none.
  ///
  /// It is accurate after all complete lines have been returned. The host compares it with
  /// ``ProtocolLimits/lineSeconds``.
  package private(set) var pendingSince: UInt64?

  /// Creates a framer with nothing in it.
  package init(limit: Int = ProtocolLimits.lineBytes) {
    self.limit = limit
  }

  /// Adds bytes that were read at the time `now`, in nanoseconds of a monotonic clock.
  package mutating func push(_ bytes: some Sequence<UInt8>, at now: UInt64) {
    let before = buffer.count
    buffer.append(contentsOf: bytes)
    let endsLine = buffer[before...].contains(UInt8(ascii: "\n"))
    if endsLine || pendingSince == nil { pendingSince = now }
    if buffer.count == start || buffer.last == UInt8(ascii: "\n") { pendingSince = nil }
  }

  /// Returns the next complete line without its newline, or `nil` if there is none yet.
  package mutating func next() throws(ProtocolViolation) -> [UInt8]? {
    guard let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      compact()
      if buffer.count > limit { throw ProtocolViolation(.lineTooLong(limit: limit)) }
      return nil
    }
    guard newline - start <= limit else { throw ProtocolViolation(.lineTooLong(limit: limit)) }
    let line = Array(buffer[start..<newline])
    start = newline + 1
    searched = start
    return line
  }

  /// Throws an error if the last line is incomplete; called after the other side has closed the pipe.
  package func finish() throws(ProtocolViolation) {
    if pendingSince != nil { throw ProtocolViolation(.unfinishedLine) }
  }

  /// Removes the returned bytes. This is only called if no complete line is left, so that each byte moves at
  /// most once.
  private mutating func compact() {
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
  }
}
