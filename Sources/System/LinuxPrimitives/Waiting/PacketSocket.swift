// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Connections of this machine that keep messages apart and carry descriptors (unix(7), `SOCK_SEQPACKET`).
///
/// The kernel keeps a message whole: there is no half of one, and no sender can make a reader wait for the rest.
package enum PacketSocket {
  /// The most descriptors that one packet carries.
  package static let mostDescriptors = 8

  /// The longest path that an address can have (unix(7)).
  private static let longestPath = 107

  /// Calls `body` with a path of a socket in a directory that an address has room for, however deep the directory lies.
  package static func withAddress<Result: ~Copyable>(
    of name: String,
    in directory: String,
    _ body: (String) throws(SystemCallError) -> Result
  ) throws(SystemCallError) -> Result {
    let path = "\(directory)/\(name)"
    if path.utf8.count <= longestPath { return try body(path) }
    let opened = try FileSystem.open(directory, [.path, .directory, .noFollow])
    let result = try body("/proc/self/fd/\(opened.rawValue)/\(name)")
    _ = consume opened
    return result
  }

  /// Listens at a path that is free. Neither the listener nor its connections ever wait.
  package static func listen(_ path: String) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("bind", path: path) { darkroom_listen_packets(path) })
  }

  /// Connects; nothing that is sent waits longer than so many seconds for room.
  package static func connect(_ path: String, seconds: Int32) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("connect", path: path) { darkroom_connect_packets(path, seconds) })
  }

  /// The next connection; nil if nobody waits.
  package static func accept(_ listener: borrowing Descriptor) throws(SystemCallError) -> Descriptor? {
    let raw = listener.rawValue
    do {
      return Descriptor(owning: try check("accept4") { darkroom_accept_packets(raw) })
    } catch {
      // Whoever has given up while waiting is nobody.
      if error.errno == .wouldBlock || error.errno == .connectionAborted { return nil }
      throw error
    }
  }

  /// Sends one packet, with these descriptors of this process.
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

  /// A packet that has arrived.
  package struct Packet: Sendable {
    /// What it says.
    package var bytes: [UInt8]
    /// The descriptors that came with it.
    package var descriptors: [HeldDescriptor]
  }

  /// What one look has brought.
  package enum Arrival: Sendable {
    /// A whole packet.
    case packet(Packet)
    /// A packet that is larger than the limit, or that has more descriptors; what was of it is gone.
    case tooLarge
    /// The other side has closed.
    case end
    /// Nothing yet.
    case nothing
  }

  /// Takes the next packet, of at most `limit` bytes.
  package static func receive(
    limit: Int,
    from socket: borrowing Descriptor
  ) throws(SystemCallError) -> Arrival {
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

  /// What one look has brought into memory.
  package enum Filling: Sendable {
    /// A whole packet: how many bytes, and the descriptors that came with it.
    case bytes(Int, [HeldDescriptor])
    /// As ``Arrival/tooLarge``.
    case tooLarge
    /// The other side has closed.
    case end
    /// Nothing yet.
    case nothing
  }

  /// The same into memory of the caller's, which is not empty: nobody else has a copy.
  package static func receive(
    into memory: UnsafeMutableRawBufferPointer,
    from socket: borrowing Descriptor
  ) throws(SystemCallError) -> Filling {
    let raw = socket.rawValue
    var numbers = [Int32](repeating: -1, count: mostDescriptors)
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
    // No packet of ours is empty.
    if length == 0 { return .end }
    return .bytes(length, descriptors)
  }
}

/// A descriptor that arrays and closures can hold.
package final class HeldDescriptor: Sendable {
  /// The descriptor.
  package let descriptor: Descriptor
  /// Its number, valid as long as this object lives.
  package var rawValue: Int32 { descriptor.rawValue }

  /// Takes a descriptor over.
  package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}

/// Who made the other end of a connection (`SO_PEERCRED`): the kernel says it, not they.
package struct PacketPeer: Sendable, Hashable {
  /// The number of the process.
  package var process: Int32
  /// Its effective user.
  package var user: UInt32
  /// Its effective group.
  package var group: UInt32

  /// The peer of a connection.
  package static func of(_ socket: borrowing Descriptor) throws(SystemCallError) -> PacketPeer {
    let raw = socket.rawValue
    var peer = PacketPeer(process: 0, user: 0, group: 0)
    try check("getsockopt") { darkroom_packet_peer(raw, &peer.process, &peer.user, &peer.group) }
    return peer
  }

  /// The process itself, however its number is used later. Where the kernel does not keep it with the connection
  /// (`SO_PEERPIDFD`, Linux 6.5), the process that has the number now.
  package func handle(_ socket: borrowing Descriptor) throws(SystemCallError) -> ProcessHandle {
    let raw = socket.rawValue
    let kept = darkroom_packet_peer_handle(raw)
    if kept >= 0 { return ProcessHandle(owning: Descriptor(owning: kept)) }
    return ProcessHandle(owning: Descriptor(owning: try check("pidfd_open") { pidfd_open(process, 0) }))
  }
}
