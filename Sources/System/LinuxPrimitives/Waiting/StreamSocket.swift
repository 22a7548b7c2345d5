// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Reading and writing sockets that other processes share, without changing whether they wait (socket(7)).
package enum StreamSocket {
  /// The kind of a descriptor's socket.
  package enum Kind: Sendable, Hashable {
    /// A connected socket that carries a stream of bytes. The corresponding type is `SOCK_STREAM`.
    case connectedStream
    /// A socket that keeps messages apart, listens, or is not connected.
    case other
  }

  /// Returns what kind of socket a descriptor is, or `nil` if it is not a socket.
  package static func kind(ofNumber raw: Int32) throws(SystemCallError) -> Kind? {
    guard try Descriptor.status(ofNumber: raw).kind == .socket else { return nil }
    return try check("getsockopt") { darkroom_is_connected_stream(raw) } == 1 ? .connectedStream : .other
  }

  /// Reads once without waiting (recv(2)).
  package static func receive(into buffer: UnsafeMutableRawBufferPointer, fromNumber raw: Int32)
    throws(SystemCallError) -> ReadOutcome
  {
    do {
      let count = try check("recv") {
        buffer.baseAddress.map { darkroom_receive_stream(raw, $0, buffer.count) } ?? -1
      }
      return count == 0 ? .end : .bytes(count)
    } catch {
      if error.errno == .wouldBlock { return .wouldBlock }
      throw error
    }
  }

  /// Writes as much as fits without waiting, and without a signal if the peer has closed (send(2)). Returns the number
  /// of bytes written, or `nil` if none fits now.
  package static func send(_ bytes: ArraySlice<UInt8>, toNumber raw: Int32) throws(SystemCallError) -> Int? {
    do {
      return try check("send") {
        bytes.withUnsafeBytes { bytes in
          bytes.baseAddress.map { darkroom_send_stream(raw, $0, bytes.count) } ?? 0
        }
      }
    } catch {
      if error.errno == .wouldBlock { return nil }
      throw error
    }
  }
}
