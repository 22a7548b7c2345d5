// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import LinuxPrimitives
import SessionStore

/// Migrations of large content, step by step: many files, long files, and digests.
enum ContentMeasurements: MeasurementGroup {
  static let name = "content"
  private static let rounds = 3

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let gibibyte: Int64 = 1 << 30
    return [
      try measure("\(setup.files) empty files in one directory", setup) { content in
        for index in 0..<setup.files { try make("\(content)/\(index).jpg") }
      },
      try measure("\(setup.files) empty files in \(setup.files / 100) directories", setup) { content in
        for index in 0..<setup.files {
          if index % 100 == 0 { try FileSystem.makeDirectory("\(content)/\(index / 100)") }
          try make("\(content)/\(index / 100)/\(index).jpg")
        }
      },
      try measure("10 GB in 1 file of nothing but holes", setup) { content in
        try make("\(content)/film", length: 10_000_000_000)
      },
      try measure("50 GiB in 50 files of nothing but holes", setup) { content in
        for index in 0..<50 { try make("\(content)/\(index)", length: gibibyte) }
      },
      try measure("digests of 1 GiB in 64 files that are in memory", setup, digests: .sha256) { content in
        let data = [UInt8](repeating: 0x55, count: 1 << 24)
        for index in 0..<64 {
          try FileSystem.open("\(content)/\(index)", [.write, .create, .exclusive]).writeAll(data)
        }
      },
    ]
  }

  /// Creates a sparse file of the given length.
  private static func make(_ path: String, length: Int64 = 0) throws {
    let file = try FileSystem.open(path, [.write, .create, .exclusive])
    if length > 0 { try file.truncate(to: length) }
  }

  /// Measures each step of several migrations and their peak memory.
  private static func measure(
    _ title: String,
    _ setup: BenchmarkSetup,
    digests: DigestChoice = .none,
    _ fill: (String) throws -> Void
  ) throws -> Table {
    var steps = MigrationStep.allCases.map { Series($0.rawValue) }
    var memory = Series("growth of peak memory", .kibibytes)
    // The content is created once and moved from session to session. Some file systems are slow to create
    // files after many deletions, which would dominate the measurement.
    let content = "\(setup.root.path)/content-to-migrate"
    try FileSystem.makeDirectory(content)
    try fill(content)
    for _ in 0..<rounds {
      let workspace = try SessionWorkspace.prepare(for: setup.app, extensionID: "org.example.benchmark.x")
      let id = workspace.id
      // rename(2) replaces an empty directory.
      try FileSystem.rename(content, to: workspace.places.contentDirectory, .replace)
      let draft = SessionRecord(
        sessionID: id,
        app: setup.app.id,
        extensionID: workspace.extensionID,
        startedAt: workspace.startedAt,
        endedAt: workspace.startedAt,
        outcome: .completed(exitCode: 0)
      )
      let migration = Migration(workspace, draft: draft, digests: digests)
      let before = try memoryInUse()
      for (index, step) in MigrationStep.allCases.enumerated() {
        steps[index].add(nanoseconds: try nanoseconds { try migration.perform(step) }.time)
      }
      memory.add(Double(max(0, try memoryInUse() - before)))
      try FileSystem.rename(setup.app.content(id), to: content, .noReplace)
    }
    try FileSystem.removeTree(content)
    let note =
      "only the first value includes writing new content to the disk; later migrations find durable content"
    let baseline = MigrationStep.deliver.rawValue
    return Table("migration of \(title)", steps + [memory], baseline: baseline, notes: [note])
  }

  /// Returns the peak memory of this process since the last call, in KiB (`VmHWM` of proc(5)).
  private static func memoryInUse() throws -> Int {
    let status = try FileSystem.contents("/proc/self/status") ?? []
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    // Resets the peak in the kernel.
    try FileSystem.open("/proc/self/clear_refs", .write).writeAll(Array("5".utf8))
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
