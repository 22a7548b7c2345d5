// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Sockets of this machine alone (unix(7)).
package enum LocalSocket {
  /// Connects to the socket with this path. No call on the result waits longer than so many seconds.
  package static func connect(_ path: String, seconds: Int32) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("connect", path: path) { darkroom_connect_unix(path, seconds) })
  }
}
