// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A connected pair of sockets that preserve message boundaries (socketpair(2), `SOCK_SEQPACKET`).
@frozen
package struct SocketPair: ~Copyable, Sendable {
  /// The first end.
  package var first: Descriptor
  /// The second end.
  package var second: Descriptor

  /// Creates a pair.
  package static func make() throws(SystemCallError) -> SocketPair {
    var ends: [Int32] = [-1, -1]
    try check("socketpair") { darkroom_socket_pair(&ends) }
    return SocketPair(first: Descriptor(owning: ends[0]), second: Descriptor(owning: ends[1]))
  }
}
