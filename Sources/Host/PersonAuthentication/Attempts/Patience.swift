// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// How long a thread waits for a person: until something has come, the time is over, or it is told to stop.
package struct Patience: Sendable {
  /// Why waiting ended.
  package enum End: Equatable, Sendable {
    /// One of the descriptors is ready; what was found, in their order.
    case ready([Readiness])
    /// The host has broken off.
    case cancelled
    /// The time is over.
    case timedOut
  }

  /// Readable when the host has broken off; its owner keeps it open as long as anybody waits.
  let stop: Int32
  /// The end of the time, of ``MonotonicClock``.
  let deadline: UInt64

  /// Waits until the deadline, or until a descriptor is readable that means to stop; -1: only until the deadline.
  package init(stop: Int32, deadline: UInt64) {
    self.stop = stop
    self.deadline = deadline
  }

  /// Waits until one of the descriptors can be read.
  package func wait(for descriptors: [Int32]) -> End {
    let watched = [(stop, Readiness.readable)] + descriptors.map { ($0, Readiness.readable) }
    // A poll that fails is one of descriptors that are gone: the host is ending.
    guard let found = try? Poller.wait(watched, until: deadline) else { return .cancelled }
    if !found[0].isEmpty { return .cancelled }
    return found.dropFirst().contains { !$0.isEmpty } ? .ready(Array(found.dropFirst())) : .timedOut
  }
}
