// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// What one thing took, each time that it was measured.
struct Series {
  /// What is measured.
  let name: String
  /// What the numbers mean.
  let unit: Unit
  private(set) var values: [Double] = []

  /// What numbers mean.
  enum Unit: String {
    /// Times.
    case microseconds = "µs"
    /// How many a second.
    case perSecond = "/s"
    /// Memory.
    case mebibytes = "MiB"
  }

  /// Nothing measured yet.
  init(_ name: String, _ unit: Unit = .microseconds) {
    self.name = name
    self.unit = unit
  }

  /// Adds a value.
  mutating func add(_ value: Double) { values.append(value) }

  /// Adds a time in nanoseconds.
  mutating func add(nanoseconds: UInt64) { values.append(Double(nanoseconds) / 1000) }

  /// The value below which so much of the others lie; nearest rank.
  func quantile(_ part: Double) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.down)))]
  }

  /// The middle.
  var median: Double { quantile(0.5) }
}

/// Runs something and says how many nanoseconds it took.
func nanoseconds<Result>(_ body: () throws -> Result) rethrows -> (result: Result, time: UInt64) {
  let began = MonotonicClock.now
  let result = try body()
  return (result, MonotonicClock.now - began)
}

/// Does several things `rounds` times, in another random order each round, so that what else the machine does falls on
/// all of them alike.
func interleave(rounds: Int, _ things: [() throws -> Void]) throws {
  for _ in 0..<rounds {
    for thing in things.shuffled() { try thing() }
  }
}
