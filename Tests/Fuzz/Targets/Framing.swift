// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Checks that line framing does not depend on how the bytes are split. The first byte is the chunk size
/// minus 1.
func checkFraming(_ input: [UInt8]) throws(Contradiction) {
  guard let first = input.first else { return }
  let bytes = Array(input.dropFirst())
  let whole = lines(of: [bytes])
  let size = Int(first) + 1
  let pieces = stride(from: 0, to: bytes.count, by: size).map {
    Array(bytes[$0..<min($0 + size, bytes.count)])
  }
  let cut = lines(of: pieces)
  try require(cut == whole, "the lines depend on how they came")
  try require(whole.isTooLong == hasLongLine(bytes), "a line's length was judged wrongly")
  guard !whole.isTooLong else { return }
  let expected = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
  try require(whole.lines == expected.dropLast(), "the lines are others than those that came")
  try require(whole.isUnfinished == !(expected.last ?? []).isEmpty, "the end was judged wrongly")
}

/// The line limit of the tested framer in bytes.
private let limit = 48

/// The result of framing.
private struct FramingResult: Equatable {
  /// The complete lines.
  var lines: [[UInt8]] = []
  /// Whether a line was too long.
  var isTooLong = false
  /// Whether the last line has no newline.
  var isUnfinished = false
}

/// Returns whether a line exceeds the limit, computed independently of the framer.
private func hasLongLine(_ bytes: [UInt8]) -> Bool {
  var length = 0
  for byte in bytes {
    length = byte == UInt8(ascii: "\n") ? 0 : length + 1
    if length > limit { return true }
  }
  return false
}

/// Pushes the chunks one by one, and reads all lines after each chunk.
private func lines(of pieces: [[UInt8]]) -> FramingResult {
  var framer = LineFramer(limit: limit)
  var result = FramingResult()
  do throws(ProtocolViolation) {
    for (number, piece) in pieces.enumerated() {
      framer.push(piece, at: UInt64(number))
      while let line = try framer.next() { result.lines.append(line) }
    }
  } catch {
    result.isTooLong = true
    return result
  }
  do { try framer.finish() } catch { result.isUnfinished = true }
  return result
}
