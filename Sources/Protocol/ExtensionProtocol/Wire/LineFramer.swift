// SPDX-License-Identifier: Apache-2.0

/// Bytes as they come out of a pipe, cut into lines.
///
/// Push what was read, then take lines until there is none. Lines before one that is too long can still be taken.
package struct LineFramer: Sendable {
  /// The longest line in bytes, without its newline.
  private let limit: Int
  /// What was pushed; the bytes before `start` have been taken.
  private var buffer: [UInt8] = []
  /// Where the first line that was not taken begins.
  private var start = 0
  /// How far the buffer has been searched for a newline.
  private var searched = 0
  /// When the first byte of the line came that has no newline yet, or nil if no line is pending.
  ///
  /// Right after the last line has been taken; the host compares it with ``ProtocolLimits/lineSeconds``.
  package private(set) var pendingSince: UInt64?

  /// Makes a framer with nothing in it.
  package init(limit: Int = ProtocolLimits.lineBytes) {
    self.limit = limit
  }

  /// Adds what was read at the time `now`, in nanoseconds of a clock that never jumps.
  package mutating func push(_ bytes: some Sequence<UInt8>, at now: UInt64) {
    let before = buffer.count
    buffer.append(contentsOf: bytes)
    let endsLine = buffer[before...].contains(UInt8(ascii: "\n"))
    if endsLine || pendingSince == nil { pendingSince = now }
    if buffer.count == start || buffer.last == UInt8(ascii: "\n") { pendingSince = nil }
  }

  /// The next whole line without its newline, or nil if there is none yet.
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

  /// Checks that the bytes ended with a line's end; for when the other side has closed.
  package func finish() throws(ProtocolViolation) {
    if pendingSince != nil { throw ProtocolViolation(.unfinishedLine) }
  }

  /// Drops what was taken; only when no line is left, so that each byte moves at most once.
  private mutating func compact() {
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
  }
}
