// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// A notifier of possible changes in some directories, through inotify(7) or, without a watch, several times
/// a second.
///
/// No watch exists at first, because closing an inotify instance takes the kernel about ten milliseconds,
/// which would delay the exit of a short session. A user has 128 instances by default
/// (`fs.inotify.max_user_instances`) and a limited number of watches for all programs together. A session
/// without a watch must still notice revoked permissions, so it polls.
package final class ChangeNotifier {
  /// The time at which the watch is created.
  package enum WatchStart: Sendable {
    /// At once, before the first read.
    case immediate
    /// After an initial period without a watch.
    case deferred
  }

  /// The initial period without a watch, in nanoseconds.
  package static let initialPollingPeriod: UInt64 = 250_000_000
  /// The polling interval in the initial period, in nanoseconds.
  private static let firstInterval: UInt64 = 25_000_000
  /// The polling interval if no watch can be created, in nanoseconds.
  private static let interval: UInt64 = 250_000_000

  /// The source of the notifications.
  private enum Source: ~Copyable {
    case clock(TimerDescriptor)
    case watch(ChangeWatch)
  }

  private let makeWatch: () throws(SystemCallError) -> ChangeWatch
  private var source: Source
  /// The time at which a watch is to be created, or `nil` if it was created or cannot be.
  private var watchStart: UInt64?

  /// Creates a notifier that watches no directory yet. `makeWatch` is for tests.
  package init(
    _ watchStart: WatchStart = .deferred,
    _ makeWatch: @escaping () throws(SystemCallError) -> ChangeWatch = { () throws(SystemCallError) in
      try ChangeWatch()
    }
  ) throws(SystemCallError) {
    source = .clock(try TimerDescriptor.make())
    self.makeWatch = makeWatch
    self.watchStart = MonotonicClock.now + (watchStart == .immediate ? 0 : Self.initialPollingPeriod)
  }

  /// The descriptor that becomes readable when something may have changed. The descriptor may change with
  /// each call of ``acknowledge(_:)``.
  package var descriptor: Int32 {
    switch source {
    case .clock(let clock): clock.descriptor.rawValue
    case .watch(let watch): watch.descriptor.rawValue
    }
  }

  /// Whether changes are reported by a watch, without polling.
  package var isWatching: Bool {
    switch source {
    case .clock: false
    case .watch: true
    }
  }

  /// Acknowledges a notification. Call this function before reading the directories.
  ///
  /// `directories` are all directories to watch. They are watched again, because they may have been created
  /// or replaced.
  package func acknowledge(_ directories: [String]) throws(SystemCallError) {
    if let moment = watchStart, moment <= MonotonicClock.now {
      watchStart = nil
      if let watch = try? makeWatch() { source = .watch(watch) }
    }
    switch source {
    case .watch(let watch):
      do throws(SystemCallError) {
        try watch.acknowledge()
        for directory in directories { try watch.watch(directory) }
        return
      } catch {
        // The notifier falls back to polling if any directory cannot be watched.
      }
    case .clock: break
    }
    try setClock(watchStart == nil ? Self.interval : Self.firstInterval)
  }

  /// Schedules the next poll after the given number of nanoseconds, and discards the watch.
  private func setClock(_ interval: UInt64) throws(SystemCallError) {
    if isWatching { source = .clock(try TimerDescriptor.make()) }
    switch source {
    case .clock(let clock): try clock.set(MonotonicClock.now + interval)
    case .watch: break
    }
  }
}
