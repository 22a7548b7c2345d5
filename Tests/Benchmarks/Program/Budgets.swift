// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics

/// The budgets of the design for measured rows: `must` is the promised value, `stretch` a value that is known
/// to be possible.
///
/// A ratio refers to `posix_spawn` of the same program unless stated otherwise.
enum Budgets {
  /// All budgets.
  static var all: [Budget] { launches + inside + ends + frames }

  /// The duration of a bare launch on the machine and at the time when the budgets were set.
  static let yardstick = Yardstick(
    LauncherSet.bareName,
    in: [LaunchMeasurements.title(.staticC) + LaunchMeasurements.toFirstByte]
      + [LauncherSet.brokered, LauncherSet.direct].map { StepMeasurements.title($0) },
    budgeted: 414
  )

  private static var launches: [Budget] {
    let cold = LaunchMeasurements.title(.staticC)
    let (first, reaped) = (cold + LaunchMeasurements.toFirstByte, cold + LaunchMeasurements.toReaped)
    let growth = LaunchMeasurements.growth + LaunchMeasurements.toFirstByte
    let (direct, brokered) = (LauncherSet.direct, LauncherSet.brokered)
    return [
      Budget("cold launch to the first byte", table: first, row: brokered, .ratio, must: 2, stretch: 1.7),
      Budget("the same without a broker", table: first, row: direct, .ratio, must: 3.3, stretch: 2.8),
      Budget("cold launch to reaped", table: reaped, row: brokered, .ratio, must: 2.2, stretch: 1.8),
      growing("launch in a host 256 MiB larger", growth, brokered),
      growing("the same without a broker", growth, direct),
      warm("C", must: 0.25, stretch: 0.13),
      warm("Swift", must: 0.7, stretch: 0.45),
      concurrentLaunches(brokered),
      Budget(
        "first frame of the Swift sample, to that of one in C",
        table: FirstFrameMeasurements.title,
        row: FirstFrameMeasurements.line("Swift (Snapshot)"),
        .ratio,
        must: 1.5
      ),
    ]
      + [Launcher.Rest.long, .none].flatMap {
        [swift(brokered, "with a broker", $0), swift(direct, "without one", $0)]
      }
  }

  /// Planning and all Swift code around the C steps.
  private static func swift(_ launcher: String, _ method: String, _ rest: Launcher.Rest) -> Budget {
    Budget(
      "Swift around the C steps, \(method)" + (rest == .none ? ", one launch after the other" : ""),
      table: StepMeasurements.title(launcher, rest),
      row: StepMeasurements.host,
      .median,
      must: 100,
      stretch: 40
    )
  }

  /// The ratio refers to the same launcher in a small host.
  private static func growing(_ promise: String, _ table: String, _ launcher: String) -> Budget {
    Budget(
      promise,
      table: table,
      row: LaunchMeasurements.enlarged(launcher),
      .ratio,
      must: 1.1,
      stretch: 1.03
    )
  }

  private static func warm(_ language: String, must: Double, stretch: Double) -> Budget {
    Budget(
      "warm launch, from go, extension in \(language)",
      table: WarmMeasurements.title,
      row: WarmMeasurements.go(language),
      .ratio,
      must: must,
      stretch: stretch
    )
  }

  private static func concurrentLaunches(_ launcher: String) -> Budget {
    Budget(
      "launches a second, 8 at once",
      table: ThroughputMeasurements.title(8),
      row: launcher,
      .ratio,
      must: 0.2,
      stretch: 0.24
    )
  }

  private static var inside: [Budget] {
    [
      Budget(
        "time that the filter adds to a call",
        table: CallMeasurements.title(CallMeasurements.cheapestCall),
        row: LauncherSet.direct,
        .excess,
        must: 40,
        stretch: 35
      ),
      Budget(
        "memory of a session without the program",
        table: MemoryMeasurements.title,
        row: MemoryMeasurements.besideProgram(LauncherSet.direct),
        .median,
        must: 512,
        stretch: 0
      ),
    ]
  }

  /// From SIGKILL until no process is left.
  private static func end(_ method: String, _ launcher: String) -> Budget {
    Budget(
      "SIGKILL to reaped, \(method)",
      table: TeardownMeasurements.title,
      row: launcher,
      .ratio,
      must: 2,
      stretch: 1.1
    )
  }

  private static var ends: [Budget] {
    [
      end("with a broker", LauncherSet.brokered), end("without one", LauncherSet.direct),
    ] + MigrationMeasurements.counts.filter { $0 > 0 }.flatMap(migration) + [
      Budget(
        "next session after a large erase, to one after none",
        table: EraseMeasurements.title,
        row: EraseMeasurements.afterManyFiles,
        .ratio,
        must: 1
      )
    ]
  }

  /// The rename, the durable writes before the app has the content, and the following steps with fsync of the
  /// content.
  private static func migration(_ count: Int) -> [Budget] {
    [
      Budget(
        "migration of \(count) files, its one rename",
        table: MigrationMeasurements.stepTitle(count),
        row: MigrationMeasurements.rename,
        .median,
        must: 1000,
        stretch: 200
      ),
      Budget(
        "migration of \(count) files, until the app has them",
        table: MigrationMeasurements.title,
        row: MigrationMeasurements.untilDelivered(count),
        .median,
        must: 1000,
        stretch: 200
      ),
      Budget(
        "migration of \(count) files, all but verification",
        table: MigrationMeasurements.title,
        row: MigrationMeasurements.withoutVerification(count),
        .median,
        must: 1000,
        stretch: 200
      ),
    ]
  }

  private static var frames: [Budget] {
    FrameMeasurements.sizes.flatMap { size in
      [
        Budget(
          "frame published to its reader awake, \(size)",
          table: FrameMeasurements.wakeUps,
          row: FrameMeasurements.wakeUp(size),
          .median,
          must: 100,
          stretch: 50
        ),
        Budget(
          "copies of a frame, \(size)",
          table: FrameMeasurements.copyCounts,
          row: FrameMeasurements.copiesOf(size),
          .median,
          must: 0
        ),
      ]
    }
  }
}
