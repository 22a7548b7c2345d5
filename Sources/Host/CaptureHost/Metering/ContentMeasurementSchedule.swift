// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// A schedule for measuring a session directory: often while it grows towards a limit, rarely while it is
/// idle.
package struct ContentMeasurementSchedule: Sendable {
  /// The longest interval between two measurements, in nanoseconds. A burst after an idle period can go
  /// unnoticed for that long.
  package static let maximumInterval: UInt64 = 250_000_000
  /// The shortest interval between two measurements, in nanoseconds.
  package static let minimumInterval: UInt64 = 20_000_000
  /// The assumed maximum write rate per second, in bytes to the page cache and in created directory entries.
  private static let maximumWriteRate = (bytes: 4.0 * 1024 * 1024 * 1024, entries: 200_000.0)

  private let limit: ContentLimit
  private var last = ContentUsage()
  private var interval = minimumInterval

  /// Creates a schedule for a directory with this limit.
  package init(_ limit: ContentLimit) { self.limit = limit }

  /// Returns the interval from a measurement to the next one, in nanoseconds.
  ///
  /// `cost` is the processor time that the measurement took, in nanoseconds.
  package mutating func interval(after usage: ContentUsage, cost: UInt64) -> UInt64 {
    defer { last = usage }
    guard usage != last else {
      interval = min(interval * 2, Self.maximumInterval)
      return max(interval, cost * 50)
    }
    let bytes = Double(limit.bytes) - Double(max(usage.apparentBytes, usage.allocatedBytes))
    let entries = Double(limit.entries) - Double(usage.entries)
    let seconds = max(0, min(bytes / Self.maximumWriteRate.bytes, entries / Self.maximumWriteRate.entries))
    interval = UInt64(
      max(Double(Self.minimumInterval), min(Double(Self.maximumInterval), seconds * 1_000_000_000))
    )
    return max(interval, cost * 4)
  }
}
