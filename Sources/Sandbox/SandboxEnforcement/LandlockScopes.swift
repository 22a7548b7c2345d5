// SPDX-License-Identifier: Apache-2.0

/// Network access rights that Landlock can deny (landlock(7), `LANDLOCK_ACCESS_NET_…`).
package struct LandlockNetworkRights: OptionSet, Sendable, Hashable {
  /// The kernel's bits.
  package let rawValue: UInt64
  /// Creates rights from the kernel's bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Bind a TCP socket. ABI 4, Linux 6.7.
  package static let bindTCP = LandlockNetworkRights(rawValue: 1 << 0)
  /// Connect a TCP socket. ABI 4, Linux 6.7.
  package static let connectTCP = LandlockNetworkRights(rawValue: 1 << 1)

  /// Returns all rights that a kernel with this ABI can deny. A session is granted none of them.
  package static func all(abi: Int) -> LandlockNetworkRights {
    abi >= 4 ? [.bindTCP, .connectTCP] : []
  }
}

/// Restrictions of interprocess communication across the sandbox boundary (landlock(7), `LANDLOCK_SCOPE_…`).
package struct LandlockScopes: OptionSet, Sendable, Hashable {
  /// The kernel's bits.
  package let rawValue: UInt64
  /// Creates scopes from the kernel's bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Connections to abstract sockets of processes outside. ABI 6, Linux 6.12.
  package static let abstractSockets = LandlockScopes(rawValue: 1 << 0)
  /// Signals to processes outside. ABI 6, Linux 6.12.
  package static let signals = LandlockScopes(rawValue: 1 << 1)

  /// Returns all restrictions that a kernel with this ABI has. All of them apply to a session.
  package static func all(abi: Int) -> LandlockScopes {
    abi >= 6 ? [.abstractSockets, .signals] : []
  }
}
