// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import SystemBus

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

extension LogindFacts {
  /// Creates facts from all properties of a session, or returns `nil` if one is missing or has another type.
  init?(id: String, properties reader: BusReader) {
    var locked: Bool?
    var active: Bool?
    var kind: String?
    var user: UInt32?
    let isWhole = reader.forEachProperty { name in
      switch name {
      case "LockedHint": locked = reader.readContainer("v", "b") { reader.bool() }
      case "Active": active = reader.readContainer("v", "b") { reader.bool() }
      case "Class": kind = reader.readContainer("v", "s") { reader.text() }
      case "User":
        user = reader.readContainer("v", "(uo)") { reader.readContainer("r", "uo") { reader.number() } }
      default: break
      }
    }
    guard isWhole, let locked, let active, let kind, let user else { return nil }
    self.init(id: id, isLocked: locked, isActive: active, sessionClass: kind, user: user)
  }
}
