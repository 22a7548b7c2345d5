// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The main run loop of Foundation, which runs timers, blocks and the work of the main queue.
///
/// Only the main thread uses it.
package final class FoundationRunLoop {
  /// The descriptors that end a wait.
  private let set: WaitSet
  /// The members of ``set``.
  private var watched: [Int32] = []

  private init(_ set: consuming WaitSet) { self.set = set }

  /// Creates access to the run loop, or returns `nil` if the program does not contain all of Foundation. To be
  /// called once in a process.
  package static func main() throws(SystemCallError) -> FoundationRunLoop? {
    guard darkroom_has_run_loop() != 0 else { return nil }
    let loop = FoundationRunLoop(try WaitSet.make())
    darkroom_run_loop_watch(loop.set.descriptor.rawValue)
    return loop
  }

  /// Runs the loop until it has handled one event, a descriptor is ready, or `deadline` (``MonotonicClock``;
  /// `nil` means no deadline) has passed.
  ///
  /// The loop handles an event even if a descriptor is ready, so that frequent frames cannot delay timers.
  ///
  /// - Parameters:
  ///   - idle: The descriptors; negative ones are skipped. They stay open as long as this object exists.
  ///   - deadline: The latest time.
  /// - Throws: The error of epoll_ctl(2) or ppoll(2).
  package func run(
    while idle: [(descriptor: Int32, interest: Readiness)],
    until deadline: UInt64?
  ) throws(SystemCallError) {
    for (descriptor, interest) in idle where descriptor >= 0 && !watched.contains(descriptor) {
      try set.watch(descriptor, interest)
      watched.append(descriptor)
    }
    let isIdle = try Poller.wait(idle, until: 0).allSatisfy(\.isEmpty)
    darkroom_run_loop_once(isIdle ? Self.seconds(until: deadline) : 0)
  }

  /// Returns the number of seconds until a deadline, and at least a century if there is none.
  private static func seconds(until deadline: UInt64?) -> Double {
    guard let deadline else { return 1e10 }
    let now = MonotonicClock.now
    return deadline > now ? Double(deadline - now) / 1e9 : 0
  }
}
