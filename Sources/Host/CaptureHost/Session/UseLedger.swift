// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// When a session's camera and microphone were used, as the host has started and stopped them.
struct UseLedger {
  private let notes: UseNotes
  /// What is noted, by what it is of.
  private var uses: [PermissionSubject: SessionRecord.Use] = [:]
  /// Since when something flows, on the clock that never jumps.
  private var since: [PermissionSubject: UInt64] = [:]

  /// Nothing was used yet.
  init(_ notes: UseNotes) { self.notes = notes }

  /// A device is used from now on. Call it before anything flows. That it could not be noted for a host that dies does not
  /// keep it from being in the record.
  mutating func begin(_ subject: PermissionSubject, _ device: String) throws(SystemCallError) {
    guard since[subject] == nil else { return }
    since[subject] = MonotonicClock.now
    guard uses[subject] == nil else { return }
    let use = SessionRecord.Use(subject, device: device, firstAt: WallClock.milliseconds)
    uses[subject] = use
    try notes.begin(use)
  }

  /// Nothing flows any more.
  mutating func end(_ subject: PermissionSubject) {
    guard let began = since.removeValue(forKey: subject) else { return }
    let earlier = uses[subject]?.milliseconds ?? 0
    uses[subject]?.lastAt = WallClock.milliseconds
    uses[subject]?.milliseconds = earlier + Int64((MonotonicClock.now - began) / 1_000_000)
  }

  /// What was used, when the session is over.
  mutating func finish() -> [SessionRecord.Use] {
    for subject in PermissionSubject.allCases { end(subject) }
    return PermissionSubject.allCases.compactMap { uses[$0] }
  }
}
