// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Says that something in some directories may have changed: at once, or, where there is no watch, several times a second.
///
/// There is none at first, because the kernel takes a while to end an instance of inotify(7): some ten milliseconds, which
/// whoever has run a program that lasts only one would wait for. And the kernel gives a user 128 instances unless told
/// otherwise (`fs.inotify.max_user_instances`), and so many watches, for all programs together. A session must not go
/// without: what is revoked has to be seen to be revoked, and whoever looks again sees it.
package final class ChangeNotice {
  /// When a watch is made.
  package enum Beginning: Sendable {
    /// Before anything is looked at.
    case atOnce
    /// Once this has been used for a while.
    case later
  }

  /// How long there is no watch, in nanoseconds.
  package static let unwatched: UInt64 = 250_000_000
  /// How often there may be something new in that time.
  private static let firstInterval: UInt64 = 25_000_000
  /// How often there may be something new where no watch can be had.
  private static let interval: UInt64 = 250_000_000

  /// What says that it should be looked again.
  private enum Source: ~Copyable {
    case clock(AlarmClock)
    case watch(ChangeWatch)
  }

  private let makeWatch: () throws(SystemCallError) -> ChangeWatch
  private var source: Source
  /// When a watch is to be made; nil: one was, or none can be.
  private var beginning: UInt64?

  /// Begins to watch nothing; `makeWatch` is for tests.
  package init(
    _ beginning: Beginning = .later,
    _ makeWatch: @escaping () throws(SystemCallError) -> ChangeWatch = { () throws(SystemCallError) in
      try ChangeWatch()
    }
  ) throws(SystemCallError) {
    self.makeWatch = makeWatch
    source = .clock(try AlarmClock.make())
    self.beginning = MonotonicClock.now + (beginning == .atOnce ? 0 : Self.unwatched)
  }

  /// What is readable when something may have changed, until the next ``acknowledge(_:)``; after that it may be another.
  package var descriptor: Int32 {
    switch source {
    case .clock(let clock): clock.descriptor.rawValue
    case .watch(let watch): watch.descriptor.rawValue
    }
  }

  /// Whether changes are told at once.
  package var isWatching: Bool {
    switch source {
    case .clock: false
    case .watch: true
    }
  }

  /// Takes notice; call it before looking, with all directories: they may have come or may be others now.
  package func acknowledge(_ directories: [String]) throws(SystemCallError) {
    if let moment = beginning, moment <= MonotonicClock.now {
      beginning = nil
      if let watch = try? makeWatch() { source = .watch(watch) }
    }
    switch source {
    case .watch(let watch):
      do throws(SystemCallError) {
        try watch.acknowledge()
        for directory in directories { try watch.watch(directory) }
        return
      } catch {
        // However little can be watched, everything can be looked at.
      }
    case .clock: break
    }
    try setClock(beginning == nil ? Self.interval : Self.firstInterval)
  }

  /// Has it looked again after so many nanoseconds, and no watch tell of anything.
  private func setClock(_ interval: UInt64) throws(SystemCallError) {
    if isWatching { source = .clock(try AlarmClock.make()) }
    switch source {
    case .clock(let clock): try clock.set(MonotonicClock.now + interval)
    case .watch: break
    }
  }
}
