// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives

/// Cold launches, one at a time: to the first byte and to reaped, for each kind of program, and from a large
/// host.
enum LaunchMeasurements: MeasurementGroup {
  static let name = "launch"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let all = setup.line.all
    var tables = try launches(all, .staticC, setup, notes: setup.line.notes)
    tables += try inLargeHost(setup.line.withBothMethods, setup)
    for payload in Payload.quick.dropFirst() where setup.payloads.contains(payload) {
      tables += try launches(setup.line.withBothMethods, payload, setup)
    }
    return tables
  }

  /// Interleaves launches and returns the tables of first bytes and of ends.
  private static func launches(
    _ launchers: [Launcher],
    _ payload: Payload,
    _ setup: BenchmarkSetup,
    notes: [String] = []
  ) throws -> [Table] {
    var times = Times(launchers.map(\.name))
    let number = setup.null.rawValue
    let before = setup.line.brokerUses()
    try interleave(
      rounds: setup.runs,
      launchers.indices.map { index in
        { times.add(try launchers[index].timeAfterPause(payload, input: number).times, at: index) }
      }
    )
    let served = setup.line.brokerUses() - before
    let notes = notes + ["the broker had prepared everything for \(served) of its \(setup.runs) launches"]
    return times.tables(title(payload), baseline: setup.line.bare.name, notes: notes)
  }

  /// The number of batches; every other batch runs with the ballast.
  private static let batches = 10
  private static let suffix = ", host 256 MiB larger"
  /// The title prefix of the tables of a large host.
  static let growth = "cold launch from a small and a large host"
  /// Returns the title prefix of the tables of a program.
  static func title(_ payload: Payload) -> String { "cold launch of \(payload.rawValue)" }
  /// The title suffix of a table of first bytes.
  static let toFirstByte = ", to the first byte"
  /// The title suffix of a table of ends.
  static let toReaped = ", to reaped"
  /// Returns the row name of a launcher in a large host.
  static func enlarged(_ name: String) -> String { name + suffix }

  private static func inLargeHost(_ launchers: [Launcher], _ setup: BenchmarkSetup) throws -> [Table] {
    let names = launchers.map(\.name)
    var times = Times(names + names.map(enlarged))
    let number = setup.null.rawValue
    for batch in 0..<(2 * batches) {
      let ballast = batch % 2 == 1 ? Ballast() : nil
      try interleave(
        rounds: max(1, setup.runs / batches),
        launchers.indices.map { index in
          {
            let place = ballast == nil ? index : index + launchers.count
            times.add(try launchers[index].timeAfterPause(.staticC, input: number).times, at: place)
          }
        }
      )
      withExtendedLifetime(ballast) {}
    }
    // The baseline of a launcher in a large host is the same launcher in a small host.
    let own = Dictionary(uniqueKeysWithValues: names.map { (enlarged($0), $0) })
    return times.tables(growth, baseline: setup.line.bare.name, against: own)
  }

  /// The times of several launchers to the first byte and to reaped.
  private struct Times {
    private var firstBytes: [Series]
    private var ends: [Series]

    init(_ names: [String]) {
      firstBytes = names.map { Series($0) }
      ends = firstBytes
    }

    /// Records a launch.
    mutating func add(_ times: Launcher.Times, at index: Int) {
      firstBytes[index].add(nanoseconds: times.firstByte)
      ends[index].add(nanoseconds: times.reaped)
    }

    /// Returns both tables.
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
