// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// A time limit for a thread that waits for input, which the host can cancel.
package struct Timeout: Sendable {
  /// A reason for the end of a wait.
  package enum End: Equatable, Sendable {
    /// At least one descriptor is ready. The array has the readiness of each descriptor in order.
    case ready([Readiness])
    /// The host cancelled the wait.
    case cancelled
    /// The deadline passed.
    case timedOut
  }

  /// A descriptor that becomes readable when the host cancels. Its owner keeps it open while a thread waits.
  let stop: Int32
  /// The deadline (``MonotonicClock``).
  let deadline: UInt64

  /// Creates a time limit. `stop` is a descriptor that is readable when the wait is cancelled, or -1 without
  /// one.
  package init(stop: Int32, deadline: UInt64) {
    self.stop = stop
    self.deadline = deadline
  }

  /// Waits until one of the descriptors is readable.
  package func wait(for descriptors: [Int32]) -> End {
    let watched = [(stop, Readiness.readable)] + descriptors.map { ($0, Readiness.readable) }
    // poll(2) fails only if descriptors have been closed, which means that the host is exiting.
    guard let found = try? Poller.wait(watched, until: deadline) else { return .cancelled }
    if !found[0].isEmpty { return .cancelled }
    return found.dropFirst().contains { !$0.isEmpty } ? .ready(Array(found.dropFirst())) : .timedOut
  }
}
