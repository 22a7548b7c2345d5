// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// By how much the clocks of a session are ahead of the host's, mostly less than nothing: both begin anew with the
/// session, so that they do not tell since when the machine has been running (time_namespaces(7)).
package struct SessionClocks: Sendable, Hashable {
  /// `CLOCK_MONOTONIC` and its kin, in seconds.
  package let monotonic: Int64
  /// `CLOCK_BOOTTIME`, in seconds.
  package let boottime: Int64

  /// What both clocks show when a session begins, in seconds. Not zero: programs take zero for "never".
  private static let start: Int64 = 3600

  /// Clocks that begin now.
  package static func beginningNow() -> SessionClocks {
    SessionClocks(
      monotonic: start - Int64(MonotonicClock.now / 1_000_000_000),
      boottime: start - Int64(MonotonicClock.sinceBoot / 1_000_000_000)
    )
  }

  /// ``monotonic`` in nanoseconds: what a moment of the host has to be moved by to be one of the session.
  package var monotonicNanoseconds: Int64 { monotonic * 1_000_000_000 }

  /// Whether this kernel lets a process enter a time namespace when it executes its program: from Linux 6.3 on, in which
  /// execve(2) does so also for one that shared its memory until then.
  package static let areSupported = KernelRelease.running.isAtLeast(6, 3)

  /// The text that the kernel takes.
  var offsets: String { "monotonic \(monotonic) 0\nboottime \(boottime) 0\n" }
}
