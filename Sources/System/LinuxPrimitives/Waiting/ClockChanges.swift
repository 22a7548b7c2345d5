// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Tells that the calendar's clock was set, or that the machine has slept (timerfd_create(2)). Neither ends a wait by
/// ``MonotonicClock`` any sooner.
package enum ClockChanges {
  /// Far enough away that it never comes, in seconds since 1970.
  private static let never = 1 << 40

  /// Makes a descriptor that is readable after such a change.
  package static func make() throws(SystemCallError) -> Descriptor {
    let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
    let raw = try check("timerfd_create") { timerfd_create(CLOCK_REALTIME, flags) }
    let descriptor = Descriptor(owning: raw)
    var time = itimerspec()
    time.it_value = timespec(tv_sec: never, tv_nsec: 0)
    let mode = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
    try check("timerfd_settime") { timerfd_settime(raw, mode, &time, nil) }
    return descriptor
  }

  /// Takes a change, so that only the next is readable.
  package static func take(_ descriptor: borrowing Descriptor) {
    var count: UInt64 = 0
    // The kernel tells of it by an error of this read.
    _ = withUnsafeMutableBytes(of: &count) { bytes in try? descriptor.read(into: bytes) }
  }
}
