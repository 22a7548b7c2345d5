// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The socket to the host. Each message is a packet: a letter for its kind, and a text.
final class HostChannel {
  private let socket: Descriptor
  /// Whether the host has broken off.
  private(set) var isGone = false

  /// Takes the socket over.
  init(_ socket: consuming Descriptor) { self.socket = socket }

  /// Sends a message, of at most 4096 bytes.
  func send(_ kind: Character, _ text: String) {
    var packet = Array(String(kind).utf8)
    packet += text.utf8.prefix(4096)
    do { try socket.writeAll(packet) } catch { isGone = true }
  }

  /// Sends the result.
  func report(_ result: PAMTransaction.Result) { send("r", "\(result.digit)\(result.reason)") }

  /// Waits for an answer and gives it as text for the C library, which the caller frees after wiping it; nil if the host
  /// has broken off.
  func answer() -> UnsafeMutablePointer<CChar>? {
    let room = SecretBytes.capacity + 1
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
    defer {
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      buffer.deallocate()
    }
    guard case .bytes(let count)? = try? socket.read(into: buffer), count <= SecretBytes.capacity else {
      isGone = true
      return nil
    }
    // Its last byte is zero, and the C library's text ends at the first.
    return SecretText.copy(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }
}
