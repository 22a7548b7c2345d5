// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The properties of a session as logind reports them (org.freedesktop.login1(5)).
struct LogindFacts: Hashable {
  /// The ID of the session.
  var id: String
  /// Whether the session's locker has locked it. The corresponding property is `LockedHint`.
  var isLocked: Bool
  /// Whether the session is in the foreground. The corresponding property is `Active`.
  var isActive: Bool
  /// The class of the session. The corresponding property is `Class`.
  var sessionClass: String
  /// The UID of the session's user. The corresponding property is `User`.
  var user: UInt32

  /// Returns the lock report for the user with a UID.
  func report(for person: UInt32, isBeingLocked: Bool) -> LockReport {
    if sessionClass == "greeter" || sessionClass == "lock-screen" { return LockReport(.locked, .greeter(id)) }
    if user != person { return LockReport(.locked, .sessionOfOtherUser(id, user: user)) }
    if isLocked { return LockReport(.locked, .sessionLocked(id)) }
    if isBeingLocked { return LockReport(.locked, .sessionBeingLocked(id)) }
    return isActive
      ? LockReport(.unlocked, .sessionUnlocked(id)) : LockReport(.locked, .sessionInBackground(id))
  }
}
