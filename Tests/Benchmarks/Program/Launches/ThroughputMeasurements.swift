// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// The number of launches per second, to reaped, with one and with eight launching threads.
enum ThroughputMeasurements: MeasurementGroup {
  static let name = "throughput"
  private static let rounds = 5
  /// Returns the title of the table for a number of threads.
  static func title(_ threads: Int) -> String { "launches a second, \(threads) at once" }

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    try [1, 8].map { try table(setup, threads: $0) }
  }

  private static func table(_ setup: BenchmarkSetup, threads: Int) throws -> Table {
    // Launchers that take tens of milliseconds would dominate the run without additional information.
    let launchers = (setup.line.withBothMethods + setup.line.inNewNetworks).filter { $0.name != "firejail" }
    var series = launchers.map { Series($0.name, .perSecond) }
    let perThread = max(1, setup.runs / threads)
    let number = setup.null.rawValue
    try interleave(
      rounds: rounds,
      launchers.indices.map { index in
        {
          let launcher = launchers[index]
          let took = try nanoseconds {
            try WorkerThreads.work(threads: threads) { _ in
              for _ in 0..<perThread {
                try launcher.start(.staticC, input: number, output: number).finish(launcher.name)
              }
            }
          }
          series[index].add(Double(threads * perThread) * 1_000_000_000 / Double(took.time))
        }
      }
    )
    return Table(title(threads), series, baseline: setup.line.bare.name)
  }
}
