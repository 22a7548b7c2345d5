// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// Warm launches: from the word "go" to the first byte of an extension that waits in its sandbox.
enum WarmMeasurements: MeasurementGroup {
  static let name = "warm"

  static func run(_ setting: Setting) throws -> [Table] {
    [
      Table(
        "warm launch",
        [],
        baseline: "",
        notes: ["skipped: there is no pool of waiting extensions to launch from"]
      )
    ]
  }
}
