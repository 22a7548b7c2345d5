// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore

/// The whole command line, from its start to its end, with everything that `darkroom exec` does around a program.
enum CommandMeasurements: MeasurementGroup {
  static let name = "command"
  private static let spawned = "true"

  static func run(_ setting: Setting) throws -> [Section] {
    let null = try FileSystem.open("/dev/null", .readWrite)
    let number = null.rawValue
    let standard: [Int32: Int32] = [0: number, 1: number]
    var steps: [(name: String, step: () throws -> Void)] = [
      (spawned, { try SpawnedProgram.start(["/usr/bin/true"], descriptors: standard).finish() })
    ]
    if let bubblewrap = try Bubblewrap(setting) {
      steps.append(
        ("bwrap … true", { try bubblewrap.start(["/usr/bin/true"], output: number, input: number).finish() })
      )
    }
    if let darkroom = setting.darkroom {
      let start = [darkroom, "--root", setting.root.path, "exec", "--app", setting.app.id]
      for (name, words) in [
        ("darkroom exec … true", ["--", "true"]),
        ("darkroom exec … the static payload", ["--", setting.payload]),
        (
          "darkroom exec --policy strict … the static payload", ["--policy", "strict", "--", setting.payload]
        ),
      ] {
        steps.append((name, { try SpawnedProgram.start(start + words, descriptors: standard).finish() }))
      }
      steps.append(
        (
          "darkroom --version",
          { try SpawnedProgram.start([darkroom, "--version"], descriptors: standard).finish() }
        )
      )
    }
    var series = steps.map { Series($0.name) }
    try interleave(
      rounds: setting.runs,
      steps.indices.map { index in
        { series[index].add(nanoseconds: try nanoseconds(steps[index].step).time) }
      }
    )
    return [Section("commands, start to end", series, baseline: spawned)]
  }
}
