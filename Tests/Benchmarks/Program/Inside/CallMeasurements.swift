// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// The cost of a system call inside each sandbox.
enum CallMeasurements: MeasurementGroup {
  static let name = "calls"
  /// Returns the title of the table of a call.
  static func title(_ call: String) -> String { "inside: \(call)" }
  /// A call with minimal work, so that its additional cost is the filter.
  static let cheapestCall = "getppid"
  private static let calls = [cheapestCall, "openat and close of /dev/null", "write of 4 KiB"]

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let launchers = setup.line.onePerSandbox
    var series = calls.map { _ in launchers.map { Series($0.name, .nanoseconds) } }
    let number = setup.null.rawValue
    try interleave(
      rounds: max(5, setup.runs / 5),
      launchers.indices.map { index in
        {
          let launcher = launchers[index]
          let text = try launcher.output(.calls, [launcher.directory], input: number)
          let numbers = text.split(separator: " ").compactMap { Double($0) }
          guard numbers.count == calls.count else { throw BenchmarkError.noOutput(launcher.name) }
          for (call, hundredths) in numbers.enumerated() { series[call][index].add(hundredths / 100) }
        }
      }
    )
    return zip(calls, series).map { Table(title($0), $1, baseline: setup.line.bare.name) }
  }
}
