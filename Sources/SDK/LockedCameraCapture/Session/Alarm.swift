// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Something that is to be done at a moment, unless it is taken back before.
@MainActor
struct Alarm {
  /// Whose alarm it is; each has one at a time.
  struct Key: Hashable {
    private let owner: ObjectIdentifier
    private let part: AnyHashable

    /// The alarm of an owner for a part of its.
    init(_ owner: AnyObject, _ part: some Hashable) {
      self.owner = ObjectIdentifier(owner)
      self.part = AnyHashable(part)
    }
  }

  /// When, of ``MonotonicClock``.
  let due: UInt64
  /// What.
  let ring: () throws -> Void

  init(due: UInt64, ring: @escaping () throws -> Void) {
    self.due = due
    self.ring = ring
  }
}

extension SessionRuntime {
  /// When the next alarm is due, and no later than a moment; nil: never.
  func nextAlarm(before moment: UInt64?) -> UInt64? {
    (alarms.values.map(\.due) + [moment].compactMap(\.self)).min()
  }

  /// Does what is due, in the order of the moments.
  func ringAlarms() {
    guard !alarms.isEmpty else { return }
    let now = MonotonicClock.now
    for (key, alarm) in alarms.filter({ $0.value.due <= now }).sorted(by: { $0.value.due < $1.value.due }) {
      // One of those before may have taken it back.
      guard alarms.removeValue(forKey: key) != nil else { continue }
      attempt(alarm.ring)
    }
  }
}
