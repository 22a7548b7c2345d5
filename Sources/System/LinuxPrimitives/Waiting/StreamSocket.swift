// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Reads and writes on sockets that other processes share, without changing `O_NONBLOCK` (socket(7)).
package enum StreamSocket {
  /// The kind of a socket.
  package enum Kind: Sendable, Hashable {
    /// A connected stream socket. The corresponding type is `SOCK_STREAM`.
    case connectedStream
    /// A socket that preserves message boundaries, listens, or is not connected.
    case other
  }

  /// Listens at an unused path. The listener and its connections are nonblocking;
  /// ``PacketSocket/accept(_:)`` accepts them.
  package static func listen(_ path: String) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("bind", path: path) { darkroom_listen_stream(path) })
  }

  /// Returns the kind of a socket, or `nil` if the descriptor is not a socket.
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

  /// Writes as many bytes as fit without waiting, and without SIGPIPE if the peer has closed (send(2)).
  /// Returns the number of bytes written, or `nil` if the buffer of the socket is full.
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
