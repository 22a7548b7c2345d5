// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives
import SessionStore

/// From the making of a session's directory to the end of its erase, without a process in between; and the erase of
/// what an app has taken.
enum HandOverMeasurements: MeasurementGroup {
  static let name = "hand-over"
  /// How many files are handed over.
  static let counts = [0, 1, 10_000]
  /// The line of the step that moves the content, however much there is.
  static let rename = HandOverStep.deliver.rawValue
  /// The table of whole hand-overs.
  static let title = "hand-over"
  /// The table of the steps of one.
  static func stepTitle(_ count: Int) -> String { "hand-over of \(count) files of 4 KiB, step by step" }
  /// The line of what a hand-over is beside the look at each file.
  static func withoutVerification(_ count: Int) -> String { "hand over \(count) files, without verification" }
  /// The line of what passes before the app has the content, beside the look at each file and the fsync of it and of the record, which
  /// lists the files: however much there is, that is to be the same.
  static func untilDelivered(_ count: Int) -> String {
    "hand over \(count) files, until the app has them, beside verification, and fsync of files and record"
  }
  /// The line of all that passes before the app has the content.
  static func wholeUntilDelivered(_ count: Int) -> String {
    "hand over \(count) files, until the app has them"
  }
  /// The steps that make sure of the files, and of what is said of them.
  private static let ofEachFile: [HandOverStep] = [.verify, .digest, .synchronize]
  /// All before the app has the content.
  private static let untilDelivered = HandOverStep.allCases.prefix { $0 != .tell }
  private static let file = [UInt8](repeating: 0x55, count: 4096)
  private static let durable = "one small file written durably"

  static func run(_ setting: Setting) throws -> [Table] {
    var preparing = Series("make a session's directory")
    var baseline = Series(durable)
    var totals = counts.map { Series("hand over \($0) files") }
    var rests = counts.map { Series(withoutVerification($0)) }
    var waits = counts.map { Series(wholeUntilDelivered($0)) }
    var deliveries = counts.map { Series(untilDelivered($0)) }
    var erasures = counts.map { Series("erase \($0) files that were handed over") }
    var steps: [[Series]] = counts.map { _ in [] }
    let delivered = DeliveredContent(setting.app)
    // Ten thousand files take a while to write.
    try interleave(
      rounds: min(10, max(5, setting.runs / 20)),
      counts.indices.map { index in
        {
          baseline.add(nanoseconds: try durableWrite(setting))
          let done = try handOver(setting, files: counts[index])
          preparing.add(nanoseconds: done.prepared)
          totals[index].add(nanoseconds: done.total)
          rests[index].add(nanoseconds: done.total - min(done.took([.verify]), done.total))
          let wait = done.took(untilDelivered)
          waits[index].add(nanoseconds: wait)
          deliveries[index].add(nanoseconds: wait - done.took(ofEachFile))
          if steps[index].isEmpty { steps[index] = done.steps.map { Series($0.name) } }
          for (place, step) in done.steps.enumerated() {
            steps[index][place].add(Double(step.microseconds))
          }
          // Without a file there is nothing that the app could be rid of.
          guard counts[index] > 0 else { return }
          erasures[index].add(
            nanoseconds: try nanoseconds { try delivered.invalidate(done.id, .beginning) }.time
          )
        }
      }
    )
    let rest = "what is more than a little is deleted by the sweeper, and not waited for"
    let lines = [baseline, preparing] + totals + rests + waits + deliveries + erasures
    let all = Table(title, lines, baseline: durable, notes: [rest])
    return [all]
      + zip(counts, steps).map {
        Table(stepTitle($0), [baseline] + $1, baseline: durable)
      }
  }

  /// What a file system asks for any durable change: the unit of everything here.
  private static func durableWrite(_ setting: Setting) throws -> UInt64 {
    let path = "\(setting.root.path)/durable"
    return try nanoseconds { try FileSystem.replaceContents(path, with: file) }.time
  }

  /// What a hand-over was and took.
  private struct Done {
    var id: SessionID
    /// Nanoseconds until the session had its directory.
    var prepared: UInt64
    /// Nanoseconds of the hand-over.
    var total: UInt64
    var steps: [SessionRecord.Step]

    /// Nanoseconds of it for some of its steps.
    func took(_ chosen: some Sequence<HandOverStep>) -> UInt64 {
      let names = chosen.map(\.rawValue)
      return steps.filter { names.contains($0.name) }.reduce(0) { $0 + UInt64($1.microseconds) * 1000 }
    }
  }

  private static func handOver(_ setting: Setting, files: Int) throws -> Done {
    let began = MonotonicClock.now
    let workspace = try SessionWorkspace.prepare(for: setting.app, extensionID: "org.example.benchmark.x")
    let (id, prepared) = (workspace.id, MonotonicClock.now - began)
    for index in 0..<files {
      let path = "\(workspace.places.contentDirectory)/\(index).jpg"
      try FileSystem.open(path, [.write, .create, .exclusive]).writeAll(file)
    }
    let draft = SessionRecord(
      sessionID: id,
      app: setting.app.id,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .completed(exitCode: 0)
    )
    let start = MonotonicClock.now
    let result = try HandOver(workspace, draft: draft).run()
    return Done(id: id, prepared: prepared, total: MonotonicClock.now - start, steps: result.steps)
  }
}
