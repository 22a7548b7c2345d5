// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// Where the time of a launch goes: each step by its name, next to a bare launch.
enum StepMeasurements: MeasurementGroup {
  static let name = "steps"

  static func run(_ setting: Setting) throws -> [Table] {
    guard let darkroom = setting.line.darkroom.first else { return [] }
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
        { baseline.add(nanoseconds: try bare.time(.staticC, input: number).times.firstByte) },
        {
          let (times, program) = try darkroom.time(.staticC, input: number)
          guard let program = program as? SandboxedProgram else { return }
          note("Swift: plan", program.planning)
          for timing in program.timings { note(timing.name, timing.nanoseconds) }
          note("Swift: around the C steps", program.marshalling)
          let launched = program.planning + program.launching
          note("program to its first byte", times.firstByte > launched ? times.firstByte - launched : 0)
          note("end to reaped", times.reaped - times.firstByte)
        },
      ]
    )
    return [Table("steps of a launch (\(darkroom.name))", [baseline] + steps, baseline: bare.name)]
  }
}
