// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Sockets of this machine alone (unix(7)).
package enum LocalSocket {
  /// Connects to the socket with this path. No call on the result waits longer than so many seconds.
  package static func connect(_ path: String, seconds: Int32) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("connect", path: path) { darkroom_connect_unix(path, seconds) })
  }

  /// Sends one datagram to the socket with this path, or with this abstract name after an `@`, if it takes it without
  /// waiting.
  package static func send(_ bytes: [UInt8], to path: String) throws(SystemCallError) {
    try check("sendto", path: path) { darkroom_send_unix(path, bytes, bytes.count) }
  }
}
