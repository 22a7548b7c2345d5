// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A decoy socket. A listening socket accepts no connection.
package struct DecoyListener: ~Copyable, Sendable {
  /// The descriptor of the socket.
  package let descriptor: Descriptor
  /// The TCP port, or 0 for a Unix socket.
  package let port: UInt16

  /// Creates a socket that listens on a free TCP port of the loopback interface.
  package static func onLoopback() throws(SystemCallError) -> DecoyListener {
    var port: UInt16 = 0
    let raw = try check("listen", path: "127.0.0.1") { darkroom_listen_loopback(&port) }
    return DecoyListener(descriptor: Descriptor(owning: raw), port: port)
  }

  /// Creates a socket that listens in the abstract namespace of Unix sockets (unix(7)).
  package static func inAbstractNamespace(_ name: String) throws(SystemCallError) -> DecoyListener {
    let raw = try check("listen", path: "@\(name)") { darkroom_listen_unix(name, 1) }
    return DecoyListener(descriptor: Descriptor(owning: raw), port: 0)
  }

  /// Creates a socket that listens at a path, to which every user may connect.
  package static func at(_ path: String) throws(SystemCallError) -> DecoyListener {
    let raw = try check("listen", path: path) { darkroom_listen_unix(path, 0) }
    return DecoyListener(descriptor: Descriptor(owning: raw), port: 0)
  }
}

extension DecoyListener {
  /// Creates a datagram socket in the abstract namespace of Unix sockets (unix(7)).
  package static func datagramsInAbstractNamespace(_ name: String) throws(SystemCallError) -> DecoyListener {
    let raw = try check("bind", path: "@\(name)") { darkroom_receive_datagrams(name, 1) }
    return DecoyListener(descriptor: Descriptor(owning: raw), port: 0)
  }

  /// Creates a datagram socket at a path, to which every user may send.
  package static func datagrams(at path: String) throws(SystemCallError) -> DecoyListener {
    let raw = try check("bind", path: path) { darkroom_receive_datagrams(path, 0) }
    return DecoyListener(descriptor: Descriptor(owning: raw), port: 0)
  }
}

/// A System V shared memory segment (shmget(2)), which every process of the IPC namespace can attach by its
/// key. It is removed with its owner.
package struct SharedSegment: ~Copyable, Sendable {
  /// The key by which processes find the segment.
  package let key: Int32
  /// The segment ID.
  private let number: Int32

  /// Creates a segment of one page.
  package static func make(key: Int32) throws(SystemCallError) -> SharedSegment {
    SharedSegment(key: key, number: try check("shmget") { darkroom_make_segment(key) })
  }

  /// Takes ownership of a segment.
  private init(key: Int32, number: Int32) {
    self.key = key
    self.number = number
  }

  deinit { darkroom_remove_segment(number) }
}

extension Descriptor {
  /// Returns a new pseudoterminal that is not the controlling terminal of any process (pty(7)).
  package static func newTerminal() throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("ioctl TIOCGPTPEER", path: "/dev/ptmx") { darkroom_open_terminal() })
  }

  /// Returns a duplicate that is inherited by programs, as a careless host leaves descriptors open. The
  /// corresponding command is `F_DUPFD`.
  package borrowing func leak(atLeast lowest: Int) throws(SystemCallError) -> Descriptor {
    let raw = rawValue
    return Descriptor(owning: try check("fcntl") { darkroom_fcntl(raw, F_DUPFD, lowest) })
  }
}
