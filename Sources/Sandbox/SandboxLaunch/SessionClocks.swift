// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The offsets of the session's clocks from the host's, which are usually negative. Both clocks start with
/// the session, so that they do not reveal the machine's uptime (time_namespaces(7)).
package struct SessionClocks: Sendable, Hashable {
  /// The offset of `CLOCK_MONOTONIC` and similar clocks, in seconds.
  package let monotonic: Int64
  /// The offset of `CLOCK_BOOTTIME`, in seconds.
  package let boottime: Int64

  /// The time of both clocks when a session starts, in seconds. It is not zero because programs use zero for
  /// "never".
  private static let start: Int64 = 3600

  /// Returns offsets for clocks that start now.
  package static func startingNow() -> SessionClocks {
    SessionClocks(
      monotonic: start - Int64(MonotonicClock.now / 1_000_000_000),
      boottime: start - Int64(MonotonicClock.sinceBoot / 1_000_000_000)
    )
  }

  /// ``monotonic`` in nanoseconds, which is added to a time of the host to get a time of the session.
  package var monotonicNanoseconds: Int64 { monotonic * 1_000_000_000 }

  /// Whether this kernel lets a process enter a time namespace at execve(2). Since Linux 6.3, this includes a
  /// process that shared its memory before.
  package static let areSupported = KernelRelease.running.isAtLeast(6, 3)

  /// The offsets in the format of the kernel.
  var offsets: String { "monotonic \(monotonic) 0\nboottime \(boottime) 0\n" }
}
