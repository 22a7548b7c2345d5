// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives
import SessionStore

/// The effect of an erase on the next session: the duration until it has its directory, after a session
/// without remains and after one with many files.
enum EraseMeasurements: MeasurementGroup {
  static let name = "erase"
  private static let count = 10_000
  /// The title of the table.
  static let title = "erase, and the session that follows"
  private static let afterNoFiles = "next session's directory, after one that left nothing"
  /// The row name for the budget.
  static let afterManyFiles = "next session's directory, after one that left \(count) files"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    var nexts = [Series(afterNoFiles), Series(afterManyFiles)]
    var ends = [Series("migration and erase of no files"), Series("migration and erase of \(count) files")]
    try interleave(
      rounds: min(10, max(5, setup.runs / 20)),
      nexts.indices.map { index in
        {
          ends[index].add(nanoseconds: try migrateAndErase(setup, leaving: index == 0 ? 0 : count))
          let began = MonotonicClock.now
          let next = try workspace(setup)
          nexts[index].add(nanoseconds: MonotonicClock.now - began)
          next.abandon()
        }
      }
    )
    let note = "the sweeper deletes large content later; that time is not included"
    return [Table(title, nexts + ends, baseline: afterNoFiles, notes: [note])]
  }

  private static func workspace(_ setup: BenchmarkSetup) throws -> SessionWorkspace {
    try SessionWorkspace.prepare(for: setup.app, extensionID: "org.example.benchmark.x")
  }

  /// Migrates a session without content that left files to erase. Returns the duration in nanoseconds.
  private static func migrateAndErase(_ setup: BenchmarkSetup, leaving count: Int) throws -> UInt64 {
    let workspace = try workspace(setup)
    for index in 0..<count {
      _ = try FileSystem.open("\(workspace.places.libraryDirectory)/\(index)", [.write, .create, .exclusive])
    }
    let draft = SessionRecord(
      sessionID: workspace.id,
      app: setup.app.id,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .completed(exitCode: 0)
    )
    let began = MonotonicClock.now
    _ = try Migration(workspace, draft: draft).run()
    return MonotonicClock.now - began
  }
}
