// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Unix sockets (unix(7)).
package enum LocalSocket {
  /// Connects to the socket with this path. No call on the connection waits longer than `seconds`.
  package static func connect(_ path: String, seconds: Int32) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("connect", path: path) { darkroom_connect_unix(path, seconds) })
  }

  /// Sends one datagram without waiting to the socket with a path, or with an abstract name if `path` begins
  /// with `@`.
  package static func send(_ bytes: [UInt8], to path: String) throws(SystemCallError) {
    try check("sendto", path: path) { darkroom_send_unix(path, bytes, bytes.count) }
  }
}
