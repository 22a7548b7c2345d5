// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Says that something in some directories may have changed: at once, or, where this user can have no more watches, several
/// times a second.
///
/// The kernel gives a user 128 instances of inotify(7) unless told otherwise (`fs.inotify.max_user_instances`), for all
/// programs together. Beyond that a session must not go without: what is revoked has to be seen to be revoked.
package final class ChangeNotice {
  /// How often there may be something new, where nobody says when, in nanoseconds.
  private static let interval: UInt64 = 250_000_000

  private let watch: ChangeWatch?
  private let clock: AlarmClock?
  /// What is readable when something may have changed.
  package let descriptor: Int32

  /// Begins to watch nothing; `makeWatch` is for tests.
  package init(
    _ makeWatch: () throws(SystemCallError) -> ChangeWatch = { () throws(SystemCallError) in try ChangeWatch()
    }
  ) throws(SystemCallError) {
    do throws(SystemCallError) {
      let made = try makeWatch()
      descriptor = made.descriptor.rawValue
      watch = consume made
      clock = nil
    } catch {
      guard error.errno.name == "EMFILE" else { throw error }
      // Descriptors may be what there are too many of: then there is no clock either.
      let made = try AlarmClock.make()
      descriptor = made.descriptor.rawValue
      watch = nil
      clock = consume made
    }
  }

  /// Takes notice; call it before looking, with all directories: they may have come or may be others now.
  package func acknowledge(_ directories: [String]) throws(SystemCallError) {
    switch clock {
    case .some(let clock): try clock.set(MonotonicClock.now + Self.interval)
    case .none: break
    }
    switch watch {
    case .some(let watch):
      try watch.acknowledge()
      for directory in directories { try watch.watch(directory) }
    case .none: break
    }
  }
}
