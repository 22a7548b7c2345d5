// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Two connected sockets that keep messages apart (socketpair(2), `SOCK_SEQPACKET`).
@frozen
package struct SocketPair: ~Copyable, Sendable {
  /// One end.
  package var first: Descriptor
  /// The other.
  package var second: Descriptor

  /// Makes a pair.
  package static func make() throws(SystemCallError) -> SocketPair {
    var ends: [Int32] = [-1, -1]
    try check("socketpair") { darkroom_socket_pair(&ends) }
    return SocketPair(first: Descriptor(owning: ends[0]), second: Descriptor(owning: ends[1]))
  }
}
