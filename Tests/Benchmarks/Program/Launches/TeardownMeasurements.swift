// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// The end of a program that would go on: from SIGKILL until it is reaped and nobody holds its output any more.
enum TeardownMeasurements: MeasurementGroup {
  static let name = "teardown"

  static func run(_ setting: Setting) throws -> [Table] {
    let launchers = setting.line.eachOnce.filter { $0.bond == .diesTogether }
    var series = launchers.map { Series($0.name) }
    let number = setting.null.rawValue
    try interleave(
      rounds: setting.runs,
      launchers.indices.map { index in
        { series[index].add(nanoseconds: try end(launchers[index], input: number)) }
      }
    )
    let left = setting.line.peers.filter { $0.bond == .outlives }
      .map { "\($0.name): left out, for its program outlives it" }
    return [Table("SIGKILL to gone", series, baseline: setting.line.bare.name, notes: left)]
  }

  private static func end(_ launcher: Launcher, input: Int32) throws -> UInt64 {
    let pipe = try Pipe.make()
    let program = try launcher.start(.hold, input: input, output: pipe.writeEnd.rawValue)
    let output = pipe.takeReadEnd()
    guard try Launcher.waitForByte(output) else { throw BenchmarkError.silent(launcher.name) }
    let began = MonotonicClock.now
    try program.kill()
    _ = try program.reap()
    _ = try Launcher.waitForByte(output)
    return MonotonicClock.now - began
  }
}
