// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The socket to the host. Each message is a packet: a letter for the kind, followed by text.
final class HostChannel {
  private let socket: Descriptor
  /// Whether the host closed the connection.
  private(set) var isDisconnected = false

  /// Creates a channel that owns the socket.
  init(_ socket: consuming Descriptor) { self.socket = socket }

  /// Sends a message. The text is truncated to 4096 bytes.
  func send(_ kind: Character, _ text: String) {
    var packet = Array(String(kind).utf8)
    packet += text.utf8.prefix(4096)
    do { try socket.writeAll(packet) } catch { isDisconnected = true }
  }

  /// Sends the result of the transaction.
  func report(_ result: PAMTransaction.Result) { send("r", "\(result.code)\(result.reason)") }

  /// Waits for an answer, and returns it as a C string that the caller wipes and frees, or `nil` if the host
  /// closed the connection.
  func answer() -> UnsafeMutablePointer<CChar>? {
    let room = SecretBytes.capacity + 1
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
    defer {
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      buffer.deallocate()
    }
    guard case .bytes(let count)? = try? socket.read(into: buffer), count <= SecretBytes.capacity else {
      isDisconnected = true
      return nil
    }
    // The last byte of the answer is zero, and a C string ends at the first zero byte.
    return SecretText.copy(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }
}
