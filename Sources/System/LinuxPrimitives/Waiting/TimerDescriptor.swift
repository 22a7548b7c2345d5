// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A timer that can be waited for together with descriptors (timerfd_create(2)).
package struct TimerDescriptor: ~Copyable, Sendable {
  /// The descriptor, which is readable from the set time on until the timer is set again.
  package let descriptor: Descriptor

  private init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Creates a timer that is not set.
  package static func make() throws(SystemCallError) -> TimerDescriptor {
    let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
    return TimerDescriptor(
      owning: Descriptor(owning: try check("timerfd_create") { timerfd_create(CLOCK_MONOTONIC, flags) })
    )
  }

  /// Sets the timer to a time of ``MonotonicClock``, which may be in the past, or disarms it with `nil`.
  package borrowing func set(_ moment: UInt64?) throws(SystemCallError) {
    let raw = descriptor.rawValue
    var time = itimerspec()
    if let moment {
      // Zero would disarm the timer.
      let moment = min(max(moment, 1), UInt64(Int64.max))
      time.it_value = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
    }
    try check("timerfd_settime") { timerfd_settime(raw, Int32(TFD_TIMER_ABSTIME), &time, nil) }
  }
}
