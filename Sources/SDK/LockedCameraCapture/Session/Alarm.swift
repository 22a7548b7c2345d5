// SPDX-License-Identifier: Apache-2.0

/// An action that runs at a given time, unless it is removed before.
@MainActor
struct Alarm {
  /// The identity of an alarm: its owner and a part of the owner. Each key has at most one alarm.
  struct Key: Hashable {
    private let owner: ObjectIdentifier
    private let part: AnyHashable

    /// Creates the key for `part` of `owner`.
    init(_ owner: AnyObject, _ part: some Hashable) {
      self.owner = ObjectIdentifier(owner)
      self.part = AnyHashable(part)
    }
  }

  /// The time at which the action is due, in nanoseconds of ``SessionClock``.
  let due: UInt64
  let action: () throws -> Void

  init(due: UInt64, action: @escaping () throws -> Void) {
    self.due = due
    self.action = action
  }
}

extension SessionRuntime {
  /// Returns the earlier of `moment` and the time of the next alarm, or `nil` if there is neither.
  func nextDeadline(before date: UInt64?) -> UInt64? {
    (alarms.values.map(\.due) + [date].compactMap(\.self)).min()
  }

  /// Runs the alarms that are due, earliest first.
  func fireAlarms() {
    guard !alarms.isEmpty else { return }
    let now = clock.now
    for (key, alarm) in alarms.filter({ $0.value.due <= now }).sorted(by: { $0.value.due < $1.value.due }) {
      // An action that ran before may have removed this alarm.
      guard alarms.removeValue(forKey: key) != nil else { continue }
      attempt(alarm.action)
    }
  }
}
