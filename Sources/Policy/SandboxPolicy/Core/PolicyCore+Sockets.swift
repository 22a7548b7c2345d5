// SPDX-License-Identifier: Apache-2.0

/// The socket calls that a policy can allow with limited arguments.
///
/// The only sockets of a session are pairs that its own processes create (socketpair(2)). A session cannot
/// create a single socket, and cannot bind or connect one; the host passes none to it. These calls can
/// therefore act only on such pairs, whose two ends stay connected to each other.
extension PolicyCore {
  /// The limits that a policy must put on the arguments of each of these calls.
  static let socketRequirements: [String: CoreRequirement] = [
    // The two ends of a datagram pair can send to every named socket (unix(7)); those of a connected pair
    // cannot.
    "socketpair": CoreRequirement(
      .network,
      .init(0, .among([SocketConstant.unixFamily])),
      .init(1, .among(SocketConstant.connectedTypes, of: SocketConstant.typeMask))
    ),
    // With length 0, the kernel reads no address. Out-of-band data has separate code in the kernel
    // (CVE-2025-38236), and programs do not need it between their own processes.
    "sendto": CoreRequirement(
      .network,
      .init(3, .clear(SocketConstant.outOfBand)),
      .init(5, .among([0]))
    ),
    "sendmsg": CoreRequirement(.network, .init(2, .clear(SocketConstant.outOfBand))),
    "recvfrom": CoreRequirement(.network, .init(3, .clear(SocketConstant.outOfBand))),
    "recvmsg": CoreRequirement(.network, .init(2, .clear(SocketConstant.outOfBand))),
    // Other options load filters into the kernel, or enlarge the memory that the kernel holds for the socket.
    "getsockopt": CoreRequirement(
      .network,
      .init(1, .among([SocketConstant.socketLevel])),
      .init(2, .among(SocketConstant.readableOptions))
    ),
    "setsockopt": CoreRequirement(
      .network,
      .init(1, .among([SocketConstant.socketLevel])),
      .init(2, .among(SocketConstant.writableOptions))
    ),
  ]
}

/// Constants of socket(7), as the kernel's headers define them.
private enum SocketConstant {
  /// The corresponding constant is `AF_UNIX`.
  static let unixFamily: UInt32 = 1
  /// The bits of a socket type that are not flags. The corresponding constant is `SOCK_TYPE_MASK`.
  static let typeMask: UInt32 = 0xF
  /// The corresponding constants are `SOCK_STREAM` and `SOCK_SEQPACKET`.
  static let connectedTypes: Set<UInt32> = [1, 5]
  /// The corresponding constant is `MSG_OOB`.
  static let outOfBand: UInt32 = 1
  /// The corresponding constant is `SOL_SOCKET`.
  static let socketLevel: UInt32 = 1
  /// The options that getsockopt(2) may read.
  ///
  /// `SO_REUSEADDR`, `SO_TYPE`, `SO_ERROR`, `SO_SNDBUF`, `SO_RCVBUF`, `SO_KEEPALIVE`, `SO_LINGER`,
  /// `SO_PASSCRED`, `SO_PEERCRED`, `SO_RCVLOWAT`, `SO_RCVTIMEO`, `SO_SNDTIMEO`, `SO_ACCEPTCONN`,
  /// `SO_PROTOCOL` and `SO_DOMAIN`.
  static let readableOptions: Set<UInt32> = [2, 3, 4, 7, 8, 9, 13, 16, 17, 18, 20, 21, 30, 38, 39]
  /// The options that setsockopt(2) may set.
  ///
  /// `SO_REUSEADDR`, `SO_KEEPALIVE`, `SO_LINGER`, `SO_PASSCRED`, `SO_RCVLOWAT`, `SO_RCVTIMEO` and
  /// `SO_SNDTIMEO`.
  static let writableOptions: Set<UInt32> = [2, 9, 13, 16, 18, 20, 21]
}
