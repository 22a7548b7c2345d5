// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// Termination of a running program: from SIGKILL until the program is reaped and no process holds its
/// output.
enum TeardownMeasurements: MeasurementGroup {
  static let name = "teardown"
  /// The title of the table.
  static let title = "SIGKILL to gone"

  static func run(_ setting: Setting) throws -> [Table] {
    let launchers = setting.line.eachWay.filter { $0.bond == .diesTogether }
    var series = launchers.map { Series($0.name) }
    var survivals: [String: Int] = [:]
    try interleave(
      rounds: setting.runs,
      launchers.indices.map { index in
        {
          guard let time = try end(launchers[index], setting) else {
            survivals[launchers[index].name, default: 0] += 1
            return
          }
          series[index].add(nanoseconds: time)
        }
      }
    )
    let left = setting.line.peers.filter { $0.bond == .outlives }
      .map { "\($0.name): left out, for its program outlives it" }
    let survived = survivals.map {
      "\($0.key): \($0.value) times its program outlived it, and is not counted"
    }
    let notes = left + survived.sorted()
    return [Table(title, series, baseline: setting.line.bare.name, notes: notes)]
  }

  /// The timeout for the termination, in nanoseconds.
  private static let patience: UInt64 = 5_000_000_000

  /// Kills a running program and returns the duration, or `nil` if the program survived.
  private static func end(_ launcher: Launcher, _ setting: Setting) throws -> UInt64? {
    let pipe = try Pipe.make()
    let program = try launcher.start(.hold, input: setting.null.rawValue, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    guard try Launcher.waitForByte(output) else { throw BenchmarkError.silent(launcher.name) }
    let began = MonotonicClock.now
    try program.kill()
    _ = try program.reap()
    // The output closes when the last process that could write has exited.
    let found = try Poller.wait([(output.rawValue, .readable)], until: began + patience)
    let took = MonotonicClock.now - began
    guard found.allSatisfy(\.isEmpty) else { return took }
    // Only after the measurement: reading a process in /proc delays its termination by the kernel.
    for process in try ProcessTree.running(setting.path(.hold)) { SpawnedProgram(processID: process).kill() }
    return nil
  }
}
