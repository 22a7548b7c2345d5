// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// Termination of a running program: from SIGKILL until the program is reaped and no process holds its
/// output.
enum TeardownMeasurements: MeasurementGroup {
  static let name = "teardown"
  /// The title of the table.
  static let title = "SIGKILL to reaped"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let launchers = setup.line.withBothMethods.filter { $0.killEffect == .terminatesProgram }
    var series = launchers.map { Series($0.name) }
    var survivals: [String: Int] = [:]
    try interleave(
      rounds: setup.runs,
      launchers.indices.map { index in
        {
          guard let time = try terminate(launchers[index], setup) else {
            survivals[launchers[index].name, default: 0] += 1
            return
          }
          series[index].add(nanoseconds: time)
        }
      }
    )
    let omitted = setup.line.peers.filter { $0.killEffect != .terminatesProgram }
      .map { "\($0.name): left out, because its program outlives it" }
    let survived = survivals.map {
      "\($0.key): \($0.value) runs are not counted, because its program outlived it"
    }
    let notes = omitted + survived.sorted()
    return [Table(title, series, baseline: setup.line.bare.name, notes: notes)]
  }

  /// The timeout for the termination, in nanoseconds.
  private static let timeout: UInt64 = 5_000_000_000

  /// Kills a running program and returns the duration, or `nil` if the program survived.
  private static func terminate(_ launcher: Launcher, _ setup: BenchmarkSetup) throws -> UInt64? {
    let pipe = try Pipe.make()
    let program = try launcher.start(.hold, input: setup.null.rawValue, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    guard try Launcher.waitForByte(output) else { throw BenchmarkError.noOutput(launcher.name) }
    let began = MonotonicClock.now
    try program.kill()
    _ = try program.reap()
    // The output closes when the last process that could write has exited.
    let found = try Poller.wait([(output.rawValue, .readable)], until: began + timeout)
    let duration = MonotonicClock.now - began
    guard found.allSatisfy(\.isEmpty) else { return duration }
    // Only after the measurement: reading a process in /proc delays its termination by the kernel.
    for process in try ProcessTree.running(setup.path(.hold)) { SpawnedProgram(processID: process).kill() }
    return nil
  }
}
