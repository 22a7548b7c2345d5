// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension HostileHost {
  /// Listens at a path with permissions for all users.
  static func listen(at path: String) {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    unlink(path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in path.utf8.prefix(bytes.count - 1).enumerated() { bytes[index] = byte }
    }
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    chmod(path, 0o777)
    _ = Glibc.listen(listener, 64)
  }

  /// Listens on a free port of the loopback interface and returns the port.
  static func listenOnLoopback() -> UInt16 {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, size)
        _ = Glibc.listen(listener, 64)
        getsockname(listener, $0, &size)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Listens in the abstract socket namespace.
  static func listen(abstractly name: String) {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in name.utf8.enumerated() { path[index + 1] = byte }
    }
    let size = socklen_t(2 + 1 + name.utf8.count)
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(listener, $0, size) }
    }
    _ = Glibc.listen(listener, 64)
  }
}
