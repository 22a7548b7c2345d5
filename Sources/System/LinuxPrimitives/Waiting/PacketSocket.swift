// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Local connections that preserve message boundaries and carry descriptors (unix(7), `SOCK_SEQPACKET`).
///
/// The kernel delivers a message completely, so a sender cannot make a reader wait for the rest of a message.
package enum PacketSocket {
  /// The maximum number of descriptors in one packet.
  package static let maximumDescriptors = 8

  /// The maximum length of the path of an address (unix(7)).
  private static let maximumPathLength = 107

  /// Calls `body` with a path of a socket in a directory that fits into an address, even if the directory's
  /// own path is too long.
  package static func withAddress<Result: ~Copyable>(
    of name: String,
    in directory: String,
    _ body: (String) throws(SystemCallError) -> Result
  ) throws(SystemCallError) -> Result {
    let path = "\(directory)/\(name)"
    if path.utf8.count <= maximumPathLength { return try body(path) }
    let opened = try FileSystem.open(directory, [.path, .directory, .noFollow])
    let result = try body("/proc/self/fd/\(opened.rawValue)/\(name)")
    _ = consume opened
    return result
  }

  /// Listens at an unused path. The listener and its connections are nonblocking.
  package static func listen(_ path: String) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("bind", path: path) { darkroom_listen_packets(path) })
  }

  /// Connects to a path. Sending never waits longer than `seconds`.
  package static func connect(_ path: String, seconds: Int32) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("connect", path: path) { darkroom_connect_packets(path, seconds) })
  }

  /// Returns the next connection, or `nil` if none is pending.
  package static func accept(_ listener: borrowing Descriptor) throws(SystemCallError) -> Descriptor? {
    let raw = listener.rawValue
    do {
      return Descriptor(owning: try check("accept4") { darkroom_accept_packets(raw) })
    } catch {
      // The client has closed its connection while waiting.
      if error.errno == .wouldBlock || error.errno == .connectionAborted { return nil }
      throw error
    }
  }

  /// Sends one packet with descriptors of this process.
  package static func send(
    _ bytes: [UInt8],
    _ descriptors: [Int32] = [],
    over socket: borrowing Descriptor
  ) throws(SystemCallError) {
    let raw = socket.rawValue
    try check("sendmsg") {
      darkroom_send_packet(raw, bytes, bytes.count, descriptors, descriptors.count)
    }
  }

  /// A received packet.
  package struct Packet: Sendable {
    /// The data of the packet.
    package var bytes: [UInt8]
    /// The received descriptors.
    package var descriptors: [HeldDescriptor]
  }

  /// The result of one receive call.
  package enum ReceiveOutcome: Sendable {
    /// A complete packet.
    case packet(Packet)
    /// A packet that is larger than the limit or has too many descriptors. It is discarded.
    case tooLarge
    /// The end: the other side has closed.
    case end
    /// No packet is available.
    case nothing
  }

  /// Receives the next packet of at most `limit` bytes.
  package static func receive(
    limit: Int,
    from socket: borrowing Descriptor
  ) throws(SystemCallError) -> ReceiveOutcome {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 16)
    defer { buffer.deallocate() }
    switch try receive(into: buffer, from: socket) {
    case .bytes(let count, let descriptors):
      return .packet(Packet(bytes: Array(buffer[..<count]), descriptors: descriptors))
    case .tooLarge: return .tooLarge
    case .end: return .end
    case .nothing: return .nothing
    }
  }

  /// The result of one receive call into a buffer.
  package enum BufferOutcome: Sendable {
    /// A complete packet: its number of bytes and its descriptors.
    case bytes(Int, [HeldDescriptor])
    /// A packet that is too large, as ``ReceiveOutcome/tooLarge``.
    case tooLarge
    /// The end: the other side has closed.
    case end
    /// No packet is available.
    case nothing
  }

  /// Receives the next packet into a nonempty buffer of the caller, without another copy.
  package static func receive(
    into memory: UnsafeMutableRawBufferPointer,
    from socket: borrowing Descriptor
  ) throws(SystemCallError) -> BufferOutcome {
    let raw = socket.rawValue
    var numbers = [Int32](repeating: -1, count: maximumDescriptors)
    var count = 0
    var isCut: Int32 = 0
    let length: Int
    do {
      length = try check("recvmsg") {
        memory.baseAddress.map { darkroom_receive_packet(raw, $0, memory.count, &numbers, &count, &isCut) }
          ?? -1
      }
    } catch {
      switch error.errno {
      case .wouldBlock: return .nothing
      case .connectionReset: return .end
      default: throw error
      }
    }
    let descriptors = numbers.prefix(count).map { HeldDescriptor(Descriptor(owning: $0)) }
    if isCut != 0 { return .tooLarge }
    // Packets of this protocol are never empty.
    if length == 0 { return .end }
    return .bytes(length, descriptors)
  }
}

/// A descriptor that can be stored in arrays and closures.
package final class HeldDescriptor: Sendable {
  /// The owned descriptor.
  package let descriptor: Descriptor
  /// The descriptor number, valid as long as this object lives.
  package var rawValue: Int32 { descriptor.rawValue }

  /// Takes ownership of a descriptor.
  package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}

/// The process that created the other end of a connection, as reported by the kernel (`SO_PEERCRED`).
package struct PacketPeer: Sendable, Hashable {
  /// The process ID.
  package var process: Int32
  /// The effective UID.
  package var user: UInt32
  /// The effective GID.
  package var group: UInt32

  /// Returns the peer of a connection.
  package static func of(_ socket: borrowing Descriptor) throws(SystemCallError) -> PacketPeer {
    let raw = socket.rawValue
    var peer = PacketPeer(process: 0, user: 0, group: 0)
    try check("getsockopt") { darkroom_packet_peer(raw, &peer.process, &peer.user, &peer.group) }
    return peer
  }

  /// Returns a handle of the peer process. Without `SO_PEERPIDFD` (Linux 6.5), it is the process that has the
  /// PID now.
  package func handle(_ socket: borrowing Descriptor) throws(SystemCallError) -> ProcessHandle {
    let raw = socket.rawValue
    let kept = darkroom_packet_peer_handle(raw)
    if kept >= 0 { return ProcessHandle(owning: Descriptor(owning: kept)) }
    return ProcessHandle(owning: Descriptor(owning: try check("pidfd_open") { pidfd_open(process, 0) }))
  }
}
