// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// The durations of the steps of a launch, next to a bare launch. Each launch method has one table of
/// launches after a pause and one of consecutive launches, as in a host under load.
enum StepMeasurements: MeasurementGroup {
  static let name = "steps"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    try [setup.line.brokered, setup.line.darkroom.first].compactMap(\.self).flatMap { launcher in
      try [Launcher.Rest.long, .none].map { try table(launcher, $0, setup) }
    }
  }

  /// Returns the title of the table of a launcher.
  static func title(_ launcher: String, _ rest: Launcher.Rest = .long) -> String {
    switch rest {
    case .long: "steps of a launch (\(launcher))"
    case .none: "steps of one launch after the other (\(launcher))"
    }
  }
  /// The row name of all Swift code.
  static let host = "Swift: plan and around the C steps"

  private static func table(_ darkroom: Launcher, _ rest: Launcher.Rest, _ setup: BenchmarkSetup) throws
    -> Table
  {
    let bare = setup.line.bare
    let number = setup.null.rawValue
    var baseline = Series(bare.name)
    var steps: [Series] = []
    func note(_ name: String, _ time: UInt64) {
      let index =
        steps.firstIndex { $0.name == name }
        ?? {
          steps.append(Series(name))
          return steps.count - 1
        }()
      steps[index].add(nanoseconds: time)
    }
    try interleave(
      rounds: setup.runs,
      [
        { baseline.add(nanoseconds: try bare.timeAfterPause(.staticC, input: number, rest).times.firstByte) },
        {
          let (times, program) = try darkroom.timeAfterPause(.staticC, input: number, rest)
          guard let program = program as? SandboxedProgram else { return }
          note("Swift: plan", program.planning)
          for timing in program.timings { note(timing.name, timing.nanoseconds) }
          note("Swift: around the C steps", program.marshalling)
          note(host, program.planning + program.marshalling)
          let launched = program.planning + program.launching
          note("program to its first byte", times.firstByte > launched ? times.firstByte - launched : 0)
          note("end to reaped", times.reaped - times.firstByte)
        },
      ]
    )
    return Table(title(darkroom.name, rest), [baseline] + steps, baseline: bare.name)
  }
}
