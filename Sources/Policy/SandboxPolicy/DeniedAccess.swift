// SPDX-License-Identifier: Apache-2.0

/// Access that every session is denied, whatever its policy allows, and that namespaces deny a second time.
///
/// Without namespaces, a kernel mechanism can be the only one that denies the access. A launch then fails unless the
/// policy lists the access under `acceptSingleMechanism`.
package enum DeniedAccess: String, CaseIterable, Sendable, Hashable {
  /// TCP connections and listeners.
  case tcp
  /// UDP datagrams.
  case udp
  /// Sockets of all other kinds, except for connected pairs in the session.
  case otherSockets
  /// Group containers, the containers of other apps, and other sessions.
  case groupContainers
}
