// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What has come from a compositor and was not taken yet. What was taken is overwritten: it can be what somebody types.
final class ReceivedBytes {
  /// The most bytes that wait; a message has at most 65,535.
  private static let most = 1 << 17
  /// The most bytes that come at once.
  private static let roomBytes = 4096

  private let bytes = WipedBytes(count: most + roomBytes)
  /// Where what waits begins.
  private var start = 0
  /// Where it ends.
  private var end = 0
  /// How many bytes at its beginning are looked at, and are over afterwards.
  private var taken = 0

  /// Whether nothing more can wait.
  var isFull: Bool { end - start >= Self.most }

  /// Reads once, behind what waits.
  func fill(from socket: borrowing Descriptor) throws(SystemCallError) -> PacketSocket.Filling {
    finish()
    // To the front, where there is room behind it; what was there is no copy that stays.
    if start > 0 {
      let count = end - start
      if let first = bytes.memory.baseAddress { first.copyMemory(from: first + start, byteCount: count) }
      WipedBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: bytes.memory[count..<end]))
      (start, end) = (0, count)
    }
    let room = UnsafeMutableRawBufferPointer(rebasing: bytes.memory[end..<end + Self.roomBytes])
    let filling = try PacketSocket.receive(into: room, from: socket)
    if case .bytes(let count, _) = filling { end += count }
    return filling
  }

  /// A word, so many bytes behind the beginning; nil: it is not there.
  func word(at offset: Int) -> UInt32? {
    guard start + offset + 4 <= end else { return nil }
    return bytes.memory.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self)
  }

  /// A text, so many bytes behind the beginning, which is there.
  func text(at offset: Int, count: Int) -> String {
    String(decoding: bytes.memory[start + offset..<start + offset + count], as: UTF8.self)
  }

  /// Whether so many bytes are there.
  func has(_ count: Int) -> Bool { end - start >= count }

  /// So many bytes at the beginning are looked at from now on, and are over at the next ``finish()``.
  func take(_ count: Int) { taken = count }

  /// Nobody looks any more at what was taken.
  func finish() {
    WipedBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: bytes.memory[start..<start + taken]))
    (start, taken) = (start + taken, 0)
    if start == end { (start, end) = (0, 0) }
  }
}
