// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// Cold launches, one at a time: to the first byte and to reaped, of each kind of program, and what a large host changes.
enum LaunchMeasurements: MeasurementGroup {
  static let name = "launch"

  static func run(_ setting: Setting) throws -> [Table] {
    let all = setting.line.all
    var tables = try launches(all, .staticC, setting, notes: setting.line.notes)
    tables += try inLargeHost(setting.line.eachWay, setting)
    for payload in Payload.quick.dropFirst() where setting.payloads.contains(payload) {
      tables += try launches(setting.line.eachWay, payload, setting)
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
    let before = setting.line.servedByBroker()
    try interleave(
      rounds: setting.runs,
      launchers.indices.map { index in
        { times.add(try launchers[index].timeRested(payload, input: number).times, at: index) }
      }
    )
    let served = setting.line.servedByBroker() - before
    let notes = notes + ["the broker had everything ready for \(served) of its \(setting.runs) launches"]
    return times.tables(title(payload), baseline: setting.line.bare.name, notes: notes)
  }

  /// In so many turns half of the rounds are made with the ballast, half without.
  private static let turns = 10
  private static let suffix = ", host 256 MiB larger"
  /// What the tables of large hosts are about.
  static let growth = "cold launch from a small and a large host"
  /// What the tables of a program are about.
  static func title(_ payload: Payload) -> String { "cold launch of \(payload.rawValue)" }
  /// The end of the name of a table of first bytes.
  static let toFirstByte = ", to the first byte"
  /// The end of the name of a table of ends.
  static let toReaped = ", to reaped"
  /// The line of a launcher in a large host.
  static func enlarged(_ name: String) -> String { name + suffix }

  private static func inLargeHost(_ launchers: [Launcher], _ setting: Setting) throws -> [Table] {
    let names = launchers.map(\.name)
    var times = Times(names + names.map(enlarged))
    let number = setting.null.rawValue
    for turn in 0..<(2 * turns) {
      let ballast = turn % 2 == 1 ? Ballast() : nil
      try interleave(
        rounds: max(1, setting.runs / turns),
        launchers.indices.map { index in
          {
            let place = ballast == nil ? index : index + launchers.count
            times.add(try launchers[index].timeRested(.staticC, input: number).times, at: place)
          }
        }
      )
      withExtendedLifetime(ballast) {}
    }
    // What a launcher takes more in a large host is what it takes there against what it takes in a small one.
    let own = Dictionary(uniqueKeysWithValues: names.map { (enlarged($0), $0) })
    return times.tables(growth, baseline: setting.line.bare.name, against: own)
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
    func tables(
      _ title: String,
      baseline: String,
      against: [String: String] = [:],
      notes: [String] = []
    ) -> [Table] {
      [
        Table(title + toFirstByte, firstBytes, baseline: baseline, against: against, notes: notes),
        Table(title + toReaped, ends, baseline: baseline, against: against),
      ]
    }
  }
}
