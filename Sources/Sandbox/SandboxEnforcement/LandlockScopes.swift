// SPDX-License-Identifier: Apache-2.0

/// Rights to the network that Landlock can withhold (landlock(7), `LANDLOCK_ACCESS_NET_…`).
package struct LandlockNetworkRights: OptionSet, Sendable, Hashable {
  /// The kernel's bits.
  package let rawValue: UInt64
  /// Wraps the kernel's bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Bind a TCP socket. ABI 4, Linux 6.7.
  package static let bindTCP = LandlockNetworkRights(rawValue: 1 << 0)
  /// Connect a TCP socket. ABI 4, Linux 6.7.
  package static let connectTCP = LandlockNetworkRights(rawValue: 1 << 1)

  /// Everything that a kernel with this ABI can withhold; a session is given none of it.
  package static func all(abi: Int) -> LandlockNetworkRights {
    abi >= 4 ? [.bindTCP, .connectTCP] : []
  }
}

/// Ways out of a session that Landlock can close (landlock(7), `LANDLOCK_SCOPE_…`).
package struct LandlockScopes: OptionSet, Sendable, Hashable {
  /// The kernel's bits.
  package let rawValue: UInt64
  /// Wraps the kernel's bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Connections to abstract sockets of others. ABI 6, Linux 6.12.
  package static let abstractSockets = LandlockScopes(rawValue: 1 << 0)
  /// Signals to processes of others. ABI 6, Linux 6.12.
  package static let signals = LandlockScopes(rawValue: 1 << 1)

  /// Everything that a kernel with this ABI can close; a session has all of it closed.
  package static func all(abi: Int) -> LandlockScopes {
    abi >= 6 ? [.abstractSockets, .signals] : []
  }
}
