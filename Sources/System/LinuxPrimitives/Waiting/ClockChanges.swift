// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Reports that the system time was set or that the machine was suspended (timerfd_create(2)). Neither
/// shortens a wait on ``MonotonicClock``.
package enum ClockChanges {
  /// A time that is never reached, in seconds since 1970.
  private static let never = 1 << 40

  /// Creates a descriptor that is readable after such a change.
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

  /// Consumes a change, so that the descriptor is readable only after the next change.
  package static func take(_ descriptor: borrowing Descriptor) {
    var count: UInt64 = 0
    // The kernel reports the change by an error of this read.
    _ = withUnsafeMutableBytes(of: &count) { bytes in try? descriptor.read(into: bytes) }
  }
}
