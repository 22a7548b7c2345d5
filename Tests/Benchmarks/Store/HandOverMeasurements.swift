// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore

/// From the making of a session's directory to the end of its erase, without a process in between.
enum HandOverMeasurements: MeasurementGroup {
  static let name = "hand-over"
  private static let counts = [0, 10, 1000]
  private static let file = [UInt8](repeating: 0x55, count: 4096)
  private static let durable = "one small file written durably"

  static func run(_ setting: Setting) throws -> [Section] {
    var preparing = Series("make a session's directory")
    var baseline = Series(durable)
    var totals = counts.map { Series("hand over \($0) files") }
    var steps: [[Series]] = counts.map { _ in [] }
    // A thousand files take a while to write.
    try interleave(
      rounds: max(5, setting.runs / 10),
      counts.indices.map { index in
        {
          baseline.add(nanoseconds: try durableWrite(setting))
          let (prepared, times) = try handOver(setting, files: counts[index])
          preparing.add(nanoseconds: prepared)
          totals[index].add(nanoseconds: times.total)
          if steps[index].isEmpty { steps[index] = times.steps.map { Series($0.name) } }
          for (place, step) in times.steps.enumerated() {
            steps[index][place].add(Double(step.microseconds))
          }
        }
      }
    )
    let all = Section("hand-over", [baseline, preparing] + totals, baseline: durable)
    return [all]
      + zip(counts, steps).map {
        Section("hand-over of \($0) files of 4 KiB, step by step", [baseline] + $1, baseline: durable)
      }
  }

  /// What a file system asks for any durable change: the unit of everything here.
  private static func durableWrite(_ setting: Setting) throws -> UInt64 {
    let path = "\(setting.root.path)/durable"
    return try nanoseconds { try FileSystem.replaceContents(path, with: file) }.time
  }

  private static func handOver(
    _ setting: Setting,
    files: Int
  ) throws -> (prepared: UInt64, (total: UInt64, steps: [SessionRecord.Step])) {
    let began = MonotonicClock.now
    let workspace = try SessionWorkspace.prepare(for: setting.app, extensionID: "org.example.benchmark.x")
    let prepared = MonotonicClock.now - began
    for index in 0..<files {
      let path = "\(workspace.places.contentDirectory)/\(index).jpg"
      try FileSystem.open(path, [.write, .create, .exclusive]).writeAll(file)
    }
    let draft = SessionRecord(
      sessionID: workspace.id,
      app: setting.app.id,
      extensionID: workspace.extensionID,
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .completed(exitCode: 0)
    )
    let start = MonotonicClock.now
    let result = try HandOver(workspace, draft: draft).run()
    return (prepared, (MonotonicClock.now - start, result.steps))
  }
}
