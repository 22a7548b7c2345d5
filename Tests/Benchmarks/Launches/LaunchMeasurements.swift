// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import SandboxLaunch

/// One launch at a time: to the first byte and to reaped, the parts by name, and what a large host changes.
final class LaunchMeasurements: MeasurementGroup {
  static let name = "launch"
  /// The policies whose launches are measured.
  private static let policies = ["base", "capture", "strict"]
  private static let spawned = "posix_spawn"
  /// In so many turns half of the rounds are made with the ballast, half without.
  private static let turns = 10

  private let setting: Setting
  private let planner: LaunchPlanner
  private let null: Descriptor
  /// The name of each kind of launch, and the launch.
  private var kinds: [(name: String, launch: (LaunchMeasurements) throws -> LaunchClock.Times)] = []
  private var firstBytes: [String: Series] = [:]
  private var ends: [String: Series] = [:]
  private var parts: [(name: String, series: Series)] = []
  private var isMeasuringParts = true

  private init(_ setting: Setting) throws {
    self.setting = setting
    planner = LaunchPlanner(stateRoot: setting.root)
    null = try FileSystem.open("/dev/null", .readWrite)
  }

  static func run(_ setting: Setting) throws -> [Section] {
    let measurements = try LaunchMeasurements(setting)
    try measurements.addKinds()
    return try measurements.measure()
  }

  private func addKinds() throws {
    kinds.append(
      (
        Self.spawned,
        { own in
          try LaunchClock.time(Self.spawned) { output in
            try SpawnedProgram.start([own.setting.payload], descriptors: [0: own.null.rawValue, 1: output])
          }.times
        }
      )
    )
    for policy in Self.policies {
      let subject = try setting.subject(policy: policy)
      kinds.append(("darkroom, \(policy)", { try $0.sandboxed(policy, subject) }))
    }
    guard let bubblewrap = try Bubblewrap(setting) else { return }
    kinds.append(
      (
        "bwrap",
        { own in
          try LaunchClock.time("bwrap") { output in
            try bubblewrap.start(["/extension/payload"], output: output, input: own.null.rawValue)
          }.times
        }
      )
    )
  }

  private func sandboxed(_ policy: String, _ subject: LaunchSubject) throws -> LaunchClock.Times {
    let (times, program) = try LaunchClock.time(policy) { output in
      try SandboxedProgram(planner, subject, setting.session(input: null.rawValue, output: output))
    }
    guard policy == "capture", isMeasuringParts else { return times }
    note("Swift: plan", program.planning)
    for timing in program.timings { note(timing.name, timing.nanoseconds) }
    note("Swift: around the C steps", program.marshalling)
    note("program to its first byte", times.firstByte - program.planning - program.launching)
    note("end to reaped", times.reaped - times.firstByte)
    return times
  }

  private func note(_ name: String, _ time: UInt64) {
    guard let index = parts.firstIndex(where: { $0.name == name }) else {
      var series = Series(name)
      series.add(nanoseconds: time)
      parts.append((name, series))
      return
    }
    parts[index].series.add(nanoseconds: time)
  }

  private func measure() throws -> [Section] {
    let rounds = max(1, setting.runs / Self.turns)
    for turn in 0..<(2 * Self.turns) {
      let ballast = turn % 2 == 1 ? Ballast() : nil
      isMeasuringParts = ballast == nil
      try interleave(
        rounds: rounds,
        kinds.map { kind in
          { try self.add(kind.launch(self), ballast == nil ? kind.name : kind.name + Self.withBallast) }
        }
      )
      withExtendedLifetime(ballast) {}
    }
    return sections
  }

  private static let withBallast = ", host 256 MiB larger"

  private func add(_ times: LaunchClock.Times, _ name: String) {
    firstBytes[name, default: Series(name)].add(nanoseconds: times.firstByte)
    ends[name, default: Series(name)].add(nanoseconds: times.reaped)
  }

  private var sections: [Section] {
    let names = kinds.flatMap { [$0.name, $0.name + Self.withBallast] }
    let baseline = firstBytes[Self.spawned] ?? Series(Self.spawned)
    return [
      Section("launch to first byte", names.compactMap { firstBytes[$0] }, baseline: Self.spawned),
      Section("launch to reaped", names.compactMap { ends[$0] }, baseline: Self.spawned),
      Section("parts of a launch (capture)", [baseline] + parts.map(\.series), baseline: Self.spawned),
    ]
  }
}
