// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// The memory of a sandbox without its program: the launcher processes that remain while the program runs.
///
/// systemd-run is left out: the manager of services starts the program, and the program is not a descendant of
/// the launcher.
enum MemoryMeasurements: MeasurementGroup {
  static let name = "memory"
  private static let rounds = 5
  /// The title of the table.
  static let title = "memory while one program waits (PSS)"
  /// Returns the row name of a launcher.
  static func besideProgram(_ launcher: String) -> String { "\(launcher), without the program" }

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let baseline = "the program itself"
    var program = Series(baseline, .kibibytes)
    let sandboxes = setup.line.onePerSandbox.dropFirst().filter { $0.killEffect != .leavesUnrelatedProgram }
    var series = sandboxes.map { Series(besideProgram($0.name), .kibibytes) }
    let number = setup.null.rawValue
    try interleave(
      rounds: rounds,
      [{ program.add(try memory(setup.line.bare, number).program) }]
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

  /// Returns the memory of a waiting program and of all processes started for it.
  private static func memory(_ launcher: Launcher, _ input: Int32) throws -> (program: Double, rest: Double) {
    let pipe = try Pipe.make()
    let program = try launcher.start(.hold, input: input, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    guard try Launcher.waitForByte(output) else { throw BenchmarkError.noOutput(launcher.name) }
    var (own, rest) = (0.0, 0.0)
    for process in ProcessTree.descendants(program.processID) {
      let share = ProcessTree.kibibytes(of: process)
      if ProcessTree.executable(of: process).hasSuffix("/\(Payload.hold.file)") {
        own += share
        // A program that outlives its launcher must be killed separately.
        if launcher.killEffect == .leavesProgram { SpawnedProgram(processID: process).kill() }
      } else {
        rest += share
      }
    }
    if launcher.killEffect == .terminatesProgram { try program.kill() }
    _ = try program.reap()
    return (own, rest)
  }
}
