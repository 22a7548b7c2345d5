// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// The end of a program that would go on: from SIGKILL until it is reaped and nobody holds its output any more.
enum TeardownMeasurements: MeasurementGroup {
  static let name = "teardown"
  /// The one table.
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

  /// How long an end may take before it is none.
  private static let patience: UInt64 = 5_000_000_000

  /// Ends a program that would go on; nil if it went on.
  private static func end(_ launcher: Launcher, _ setting: Setting) throws -> UInt64? {
    let pipe = try Pipe.make()
    let program = try launcher.start(.hold, input: setting.null.rawValue, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    guard try Launcher.waitForByte(output) else { throw BenchmarkError.silent(launcher.name) }
    let began = MonotonicClock.now
    try program.kill()
    _ = try program.reap()
    // It ends when the last one that could write has ended.
    let found = try Poller.wait([(output.rawValue, .readable)], until: began + patience)
    let took = MonotonicClock.now - began
    guard found.allSatisfy(\.isEmpty) else { return took }
    // Not before: whoever has been looked at in /proc takes the kernel longer to end.
    for process in try ProcessTree.running(setting.path(.hold)) { SpawnedProgram(processID: process).kill() }
    return nil
  }
}
