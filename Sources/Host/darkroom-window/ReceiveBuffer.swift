// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Bytes that were received from a compositor and not consumed yet. Consumed bytes are wiped, because they
/// may be typed text.
final class ReceiveBuffer {
  /// The maximum number of unconsumed bytes. A message has at most 65,535 bytes.
  private static let capacity = 1 << 17
  /// The maximum number of bytes per read.
  private static let readBytes = 4096

  private let bytes = WipedBytes(count: capacity + readBytes)
  /// The start of the unconsumed bytes.
  private var start = 0
  /// The end of the unconsumed bytes.
  private var end = 0
  /// The number of bytes of the current message, which are wiped afterwards.
  private var taken = 0

  /// Whether the buffer is full.
  var isFull: Bool { end - start >= Self.capacity }

  /// Reads once, and appends the bytes to the buffer.
  func fill(from socket: borrowing Descriptor) throws(SystemCallError) -> PacketSocket.BufferOutcome {
    finish()
    // Move the bytes to the front to make space, and wipe the old copy.
    if start > 0 {
      let count = end - start
      if let first = bytes.memory.baseAddress { first.copyMemory(from: first + start, byteCount: count) }
      WipedBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: bytes.memory[count..<end]))
      (start, end) = (0, count)
    }
    let room = UnsafeMutableRawBufferPointer(rebasing: bytes.memory[end..<end + Self.readBytes])
    let filling = try PacketSocket.receive(into: room, from: socket)
    if case .bytes(let count, _) = filling { end += count }
    return filling
  }

  /// Returns the 32-bit word at an offset, or `nil` if it has not been received.
  func word(at offset: Int) -> UInt32? {
    guard start + offset + 4 <= end else { return nil }
    return bytes.memory.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self)
  }

  /// Returns the text at an offset, which must have been received.
  func text(at offset: Int, count: Int) -> String {
    String(decoding: bytes.memory[start + offset..<start + offset + count], as: UTF8.self)
  }

  /// Returns whether at least `count` bytes have been received.
  func has(_ count: Int) -> Bool { end - start >= count }

  /// Marks bytes at the start as the current message, which is consumed by the next ``finish()``.
  func take(_ count: Int) { taken = count }

  /// Wipes and removes the current message.
  func finish() {
    WipedBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: bytes.memory[start..<start + taken]))
    (start, taken) = (start + taken, 0)
    if start == end { (start, end) = (0, 0) }
  }
}
