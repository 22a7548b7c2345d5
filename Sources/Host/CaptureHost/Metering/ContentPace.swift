// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// Decides how soon a session directory is measured again: soon while it grows towards a limit, rarely while it rests.
package struct ContentPace: Sendable {
  /// The longest time between two measurements, in nanoseconds: how long a burst after a rest can go unseen.
  package static let longest: UInt64 = 250_000_000
  /// The shortest.
  package static let shortest: UInt64 = 20_000_000
  /// What can be written in a second, at most: bytes to the memory of the machine, which holds files at first, and names.
  private static let perSecond = (bytes: 4.0 * 1024 * 1024 * 1024, entries: 200_000.0)

  private let limit: ContentLimit
  private var last = ContentUsage()
  private var interval = shortest

  /// Keeps a directory under this limit.
  package init(_ limit: ContentLimit) { self.limit = limit }

  /// How long after a measurement the next one is due, in nanoseconds. `cost` is the processor
  /// time that it took.
  package mutating func interval(after usage: ContentUsage, cost: UInt64) -> UInt64 {
    defer { last = usage }
    guard usage != last else {
      interval = min(interval * 2, Self.longest)
      return max(interval, cost * 50)
    }
    let bytes = Double(limit.bytes) - Double(max(usage.apparentBytes, usage.allocatedBytes))
    let entries = Double(limit.entries) - Double(usage.entries)
    let seconds = max(0, min(bytes / Self.perSecond.bytes, entries / Self.perSecond.entries))
    interval = UInt64(max(Double(Self.shortest), min(Double(Self.longest), seconds * 1_000_000_000)))
    return max(interval, cost * 4)
  }
}
