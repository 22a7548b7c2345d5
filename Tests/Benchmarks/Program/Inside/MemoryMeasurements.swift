// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// What a sandbox takes of memory besides its program: what stays of its launcher while the program runs.
enum MemoryMeasurements: MeasurementGroup {
  static let name = "memory"
  private static let rounds = 5
  /// The one table.
  static let title = "memory while one program waits (PSS)"
  /// The line of a launcher.
  static func beside(_ launcher: String) -> String { "\(launcher), besides the program" }

  static func run(_ setting: Setting) throws -> [Table] {
    let baseline = "the program itself"
    var program = Series(baseline, .kibibytes)
    let sandboxes = Array(setting.line.eachOnce.dropFirst())
    var series = sandboxes.map { Series(beside($0.name), .kibibytes) }
    let number = setting.null.rawValue
    try interleave(
      rounds: rounds,
      [{ program.add(try memory(setting.line.bare, number).program) }]
        + sandboxes.indices.map { index in
          { series[index].add(try memory(sandboxes[index], number).rest) }
        }
    )
    return [
      Table(
        title,
        [program] + series,
        baseline: baseline,
        notes: ["without the host itself; see the table of sessions at once for that"]
      )
    ]
  }

  /// The memory of a waiting program and of all processes that were started for it.
  private static func memory(_ launcher: Launcher, _ input: Int32) throws -> (program: Double, rest: Double) {
    let pipe = try Pipe.make()
    let program = try launcher.start(.hold, input: input, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    guard try Launcher.waitForByte(output) else { throw BenchmarkError.silent(launcher.name) }
    var (own, rest) = (0.0, 0.0)
    for process in ProcessTree.below(program.processID) {
      let share = ProcessTree.kibibytes(of: process)
      if ProcessTree.executable(of: process).hasSuffix("/\(Payload.hold.file)") {
        own += share
        // What outlives its launcher has to be ended by hand.
        if launcher.bond == .outlives { SpawnedProgram(processID: process).kill() }
      } else {
        rest += share
      }
    }
    if launcher.bond == .diesTogether { try program.kill() }
    _ = try program.reap()
    return (own, rest)
  }
}

/// Processes that descend from another, and their share of memory.
enum ProcessTree {
  /// A process and all that descend from it.
  static func below(_ process: Int32) -> [Int32] {
    var found = [process]
    var next = 0
    while next < found.count {
      if let facts = ProcessFacts(found[next]) {
        for thread in facts.threads { found += facts.children(of: thread) }
      }
      next += 1
    }
    return found
  }

  /// The program that a process runs, as it sees it itself; empty where this user may not know.
  static func executable(of process: Int32) -> String {
    (try? FileSystem.linkTarget("/proc/\(process)/exe")) ?? ""
  }

  /// The share of memory of a process (`Pss` of /proc/PID/smaps_rollup), in KiB; 0 where this user may not know.
  static func kibibytes(of process: Int32) -> Double {
    let text = ((try? FileSystem.contents("/proc/\(process)/smaps_rollup")) ?? nil) ?? []
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Pss:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  }
}
