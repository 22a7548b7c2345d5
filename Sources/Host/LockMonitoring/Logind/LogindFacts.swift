// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What logind says of a session (org.freedesktop.login1(5)).
struct LogindFacts: Hashable {
  /// Its id.
  var id: String
  /// Whether its locker has locked it. The corresponding property is `LockedHint`.
  var isLocked: Bool
  /// Whether it is in front. The corresponding property is `Active`.
  var isActive: Bool
  /// What it is for. The corresponding property is `Class`.
  var kind: String
  /// Whose it is. The corresponding property is `User`.
  var user: UInt32

  /// What follows for the person with a user's number.
  func report(for person: UInt32, isBeingLocked: Bool) -> LockReport {
    if kind == "greeter" || kind == "lock-screen" { return LockReport(.locked, .greeter(id)) }
    if user != person { return LockReport(.locked, .sessionOfAnother(id, user: user)) }
    if isLocked { return LockReport(.locked, .sessionLocked(id)) }
    if isBeingLocked { return LockReport(.locked, .sessionBeingLocked(id)) }
    return isActive
      ? LockReport(.unlocked, .sessionUnlocked(id)) : LockReport(.locked, .sessionInBackground(id))
  }
}
