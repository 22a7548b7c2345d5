// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// The times at which the camera and the microphone were used, as the host started and stopped them.
struct DeviceUseLedger {
  private let notes: DeviceUseFile
  /// The uses, by subject.
  private var uses: [PermissionSubject: SessionRecord.Use] = [:]
  /// The start of each current use, in ``MonotonicClock`` nanoseconds.
  private var since: [PermissionSubject: UInt64] = [:]

  /// Creates a ledger without uses.
  init(_ notes: DeviceUseFile) { self.notes = notes }

  /// Records the start of a use. Call this function before any data flows.
  ///
  /// Throws an error if the use could not be noted on disk for the case that the host dies. The use is
  /// recorded nevertheless.
  mutating func begin(_ subject: PermissionSubject, _ device: String) throws(SystemCallError) {
    guard since[subject] == nil else { return }
    since[subject] = MonotonicClock.now
    guard uses[subject] == nil else { return }
    let use = SessionRecord.Use(subject, device: device, firstAt: WallClock.milliseconds)
    uses[subject] = use
    try notes.append(use)
  }

  /// Records the end of a use.
  mutating func end(_ subject: PermissionSubject) {
    guard let began = since.removeValue(forKey: subject) else { return }
    let earlier = uses[subject]?.milliseconds ?? 0
    uses[subject]?.lastAt = WallClock.milliseconds
    uses[subject]?.milliseconds = earlier + Int64((MonotonicClock.now - began) / 1_000_000)
  }

  /// Returns all uses at the end of the session.
  mutating func finish() -> [SessionRecord.Use] {
    for subject in PermissionSubject.allCases { end(subject) }
    return PermissionSubject.allCases.compactMap { uses[$0] }
  }
}
