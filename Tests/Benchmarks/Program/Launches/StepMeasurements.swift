// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// Where the time of a launch goes: each step by its name, next to a bare launch; one table for each way to launch.
enum StepMeasurements: MeasurementGroup {
  static let name = "steps"

  static func run(_ setting: Setting) throws -> [Table] {
    try [setting.line.brokered, setting.line.darkroom.first].compactMap(\.self).map { try table($0, setting) }
  }

  /// The table of a launcher.
  static func title(_ launcher: String) -> String { "steps of a launch (\(launcher))" }
  /// The line of all that is Swift.
  static let host = "Swift: plan and around the C steps"

  private static func table(_ darkroom: Launcher, _ setting: Setting) throws -> Table {
    let bare = setting.line.bare
    let number = setting.null.rawValue
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
      rounds: setting.runs,
      [
        { baseline.add(nanoseconds: try bare.timeRested(.staticC, input: number).times.firstByte) },
        {
          let (times, program) = try darkroom.timeRested(.staticC, input: number)
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
    return Table(title(darkroom.name), [baseline] + steps, baseline: bare.name)
  }
}
