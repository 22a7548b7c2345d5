// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A socket that listens and whose connections nobody takes: something to reach.
package struct HostListener: ~Copyable, Sendable {
  /// The socket.
  package let descriptor: Descriptor
  /// The TCP port; 0 for a Unix socket.
  package let port: UInt16

  /// Listens on a free TCP port of the loopback interface.
  package static func onLoopback() throws(SystemCallError) -> HostListener {
    var port: UInt16 = 0
    let raw = try check("listen", path: "127.0.0.1") { darkroom_listen_loopback(&port) }
    return HostListener(descriptor: Descriptor(owning: raw), port: port)
  }

  /// Listens in the abstract name space of Unix sockets (unix(7)).
  package static func abstractly(_ name: String) throws(SystemCallError) -> HostListener {
    let raw = try check("listen", path: "@\(name)") { darkroom_listen_unix(name, 1) }
    return HostListener(descriptor: Descriptor(owning: raw), port: 0)
  }

  /// Listens at a path, which everybody may connect to.
  package static func at(_ path: String) throws(SystemCallError) -> HostListener {
    let raw = try check("listen", path: path) { darkroom_listen_unix(path, 0) }
    return HostListener(descriptor: Descriptor(owning: raw), port: 0)
  }
}

extension HostListener {
  /// Receives datagrams in the abstract name space of Unix sockets (unix(7)).
  package static func datagramsAbstractly(_ name: String) throws(SystemCallError) -> HostListener {
    let raw = try check("bind", path: "@\(name)") { darkroom_receive_datagrams(name, 1) }
    return HostListener(descriptor: Descriptor(owning: raw), port: 0)
  }

  /// Receives datagrams at a path, which everybody may send to.
  package static func datagrams(at path: String) throws(SystemCallError) -> HostListener {
    let raw = try check("bind", path: path) { darkroom_receive_datagrams(path, 0) }
    return HostListener(descriptor: Descriptor(owning: raw), port: 0)
  }
}

/// Memory that every process of an IPC namespace can attach to by its key (shmget(2)); removed with its owner.
package struct SharedSegment: ~Copyable, Sendable {
  /// The key.
  package let key: Int32
  /// The kernel's number.
  private let number: Int32

  /// Makes a page of it.
  package static func make(key: Int32) throws(SystemCallError) -> SharedSegment {
    SharedSegment(key: key, number: try check("shmget") { darkroom_make_segment(key) })
  }

  /// Takes over a segment.
  private init(key: Int32, number: Int32) {
    self.key = key
    self.number = number
  }

  deinit { darkroom_remove_segment(number) }
}

extension Descriptor {
  /// A new pseudoterminal that is nobody's controlling terminal (pty(7)).
  package static func newTerminal() throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("ioctl TIOCGPTPEER", path: "/dev/ptmx") { darkroom_open_terminal() })
  }

  /// A second descriptor that a program which is started inherits, as a careless host leaves them. The corresponding
  /// command is `F_DUPFD`.
  package borrowing func leak(atLeast lowest: Int) throws(SystemCallError) -> Descriptor {
    let raw = rawValue
    return Descriptor(owning: try check("fcntl") { darkroom_fcntl(raw, F_DUPFD, lowest) })
  }
}
