// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives
import SessionStore

/// From the creation of a session directory to the end of its erase, without a process; and the removal of
/// delivered content.
enum MigrationMeasurements: MeasurementGroup {
  static let name = "migration"
  /// The numbers of migrated files.
  static let counts = [0, 1, 10_000]
  /// The row name of the step that moves the content, which is independent of its size.
  static let rename = MigrationStep.deliver.rawValue
  /// The title of the table of whole migrations.
  static let title = "migration"
  /// Returns the title of the table of steps.
  static func stepTitle(_ count: Int) -> String { "migration of \(count) files of 4 KiB, step by step" }
  /// Returns the row name of a migration without the verification of each file.
  static func withoutVerification(_ count: Int) -> String { "migrate \(count) files, without verification" }
  /// Returns the row name of the time until the app has the content, without verification and fsync of files
  /// and record. This time must not depend on the amount of content.
  static func untilDelivered(_ count: Int) -> String {
    "migrate \(count) files, until the app has them, without verification and fsync of files and record"
  }
  /// Returns the row name of the whole time until the app has the content.
  static func wholeUntilDelivered(_ count: Int) -> String {
    "migrate \(count) files, until the app has them"
  }
  /// The steps that process each file or its entry in the record.
  private static let perFileSteps: [MigrationStep] = [.verify, .digest, .synchronize]
  /// All steps before the app has the content.
  private static let deliverySteps = MigrationStep.allCases.prefix { $0 != .notify }
  private static let file = [UInt8](repeating: 0x55, count: 4096)
  private static let durableWriteName = "one small file written durably"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    var preparing = Series("make a session's directory")
    var baseline = Series(durableWriteName)
    var totals = counts.map { Series("migrate \($0) files") }
    var rests = counts.map { Series(withoutVerification($0)) }
    var waits = counts.map { Series(wholeUntilDelivered($0)) }
    var deliveries = counts.map { Series(untilDelivered($0)) }
    var erasures = counts.map { Series("erase \($0) migrated files") }
    var steps: [[Series]] = counts.map { _ in [] }
    let delivered = DeliveredContent(setup.app)
    // Writing ten thousand files takes long, which limits the rounds.
    try interleave(
      rounds: min(10, max(5, setup.runs / 20)),
      counts.indices.map { index in
        {
          baseline.add(nanoseconds: try durableWrite(setup))
          let times = try migrate(setup, files: counts[index])
          preparing.add(nanoseconds: times.prepared)
          totals[index].add(nanoseconds: times.total)
          rests[index].add(nanoseconds: times.total - min(times.duration([.verify]), times.total))
          let wait = times.duration(deliverySteps)
          waits[index].add(nanoseconds: wait)
          deliveries[index].add(nanoseconds: wait - times.duration(perFileSteps))
          if steps[index].isEmpty { steps[index] = times.steps.map { Series($0.name) } }
          for (place, step) in times.steps.enumerated() {
            steps[index][place].add(Double(step.microseconds))
          }
          // Without a file there is no content to remove.
          guard counts[index] > 0 else { return }
          erasures[index].add(
            nanoseconds: try nanoseconds { try delivered.invalidate(times.id, .partial) }.time
          )
        }
      }
    )
    let rest = "the sweeper deletes large content later; that time is not included"
    let lines = [baseline, preparing] + totals + rests + waits + deliveries + erasures
    let all = Table(title, lines, baseline: durableWriteName, notes: [rest])
    return [all]
      + zip(counts, steps).map {
        Table(stepTitle($0), [baseline] + $1, baseline: durableWriteName)
      }
  }

  /// Measures one durable change of a small file, the unit of these tables.
  private static func durableWrite(_ setup: BenchmarkSetup) throws -> UInt64 {
    let path = "\(setup.root.path)/durable"
    return try nanoseconds { try FileSystem.replaceContents(path, with: file) }.time
  }

  /// The durations of one migration.
  private struct MigrationTimes {
    var id: SessionID
    /// Nanoseconds until the session had its directory.
    var prepared: UInt64
    /// Nanoseconds of the whole migration.
    var total: UInt64
    var steps: [SessionRecord.Step]

    /// Returns the nanoseconds of the given steps.
    func duration(_ chosen: some Sequence<MigrationStep>) -> UInt64 {
      let names = chosen.map(\.rawValue)
      return steps.filter { names.contains($0.name) }.reduce(0) { $0 + UInt64($1.microseconds) * 1000 }
    }
  }

  private static func migrate(_ setup: BenchmarkSetup, files: Int) throws -> MigrationTimes {
    let began = MonotonicClock.now
    let workspace = try SessionWorkspace.prepare(for: setup.app, extensionID: "org.example.benchmark.x")
    let (id, prepared) = (workspace.id, MonotonicClock.now - began)
    for index in 0..<files {
      let path = "\(workspace.places.contentDirectory)/\(index).jpg"
      try FileSystem.open(path, [.write, .create, .exclusive]).writeAll(file)
    }
    let draft = SessionRecord(
      sessionID: id,
      app: setup.app.id,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .completed(exitCode: 0)
    )
    let start = MonotonicClock.now
    let result = try Migration(workspace, draft: draft).run()
    return MigrationTimes(id: id, prepared: prepared, total: MonotonicClock.now - start, steps: result.steps)
  }
}
