// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// Cold launches, one at a time: to the first byte and to reaped, of each kind of program, and what a large host changes.
enum LaunchMeasurements: MeasurementGroup {
  static let name = "launch"

  static func run(_ setting: Setting) throws -> [Table] {
    let all = setting.line.all
    var tables = try launches(all, .staticC, setting, notes: setting.line.notes)
    tables += try inLargeHost(all, setting)
    for payload in Payload.quick.dropFirst() where setting.payloads.contains(payload) {
      tables += try launches(setting.line.eachOnce, payload, setting)
    }
    return tables
  }

  /// Launches in turns, and makes a table of first bytes and one of ends.
  private static func launches(
    _ launchers: [Launcher],
    _ payload: Payload,
    _ setting: Setting,
    notes: [String] = []
  ) throws -> [Table] {
    var times = Times(launchers.map(\.name))
    let number = setting.null.rawValue
    try interleave(
      rounds: setting.runs,
      launchers.indices.map { index in
        { times.add(try launchers[index].time(payload, input: number).times, at: index) }
      }
    )
    return times.tables("cold launch of \(payload.rawValue)", baseline: setting.line.bare.name, notes: notes)
  }

  /// In so many turns half of the rounds are made with the ballast, half without.
  private static let turns = 10

  private static func inLargeHost(_ launchers: [Launcher], _ setting: Setting) throws -> [Table] {
    let suffix = ", host 256 MiB larger"
    let names = launchers.map(\.name)
    var times = Times(names + names.map { $0 + suffix })
    let number = setting.null.rawValue
    for turn in 0..<(2 * turns) {
      let ballast = turn % 2 == 1 ? Ballast() : nil
      try interleave(
        rounds: max(1, setting.runs / turns),
        launchers.indices.map { index in
          {
            let place = ballast == nil ? index : index + launchers.count
            times.add(try launchers[index].time(.staticC, input: number).times, at: place)
          }
        }
      )
      withExtendedLifetime(ballast) {}
    }
    return times.tables("cold launch from a small and a large host", baseline: setting.line.bare.name)
  }

  /// First bytes and ends of several launchers.
  private struct Times {
    private var firstBytes: [Series]
    private var ends: [Series]

    init(_ names: [String]) {
      firstBytes = names.map { Series($0) }
      ends = firstBytes
    }

    /// Notes a launch.
    mutating func add(_ times: Launcher.Times, at index: Int) {
      firstBytes[index].add(nanoseconds: times.firstByte)
      ends[index].add(nanoseconds: times.reaped)
    }

    /// Both as tables.
    func tables(_ title: String, baseline: String, notes: [String] = []) -> [Table] {
      [
        Table("\(title), to the first byte", firstBytes, baseline: baseline, notes: notes),
        Table("\(title), to reaped", ends, baseline: baseline),
      ]
    }
  }
}
