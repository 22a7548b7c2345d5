// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import Glibc
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

/// Accounts for every byte that misbehaving extensions have written: delivered, quarantined, or removed by
/// the app.
final class ContentAccounting {
  private let world: WorkerEnvironment
  private var faults = 0
  /// The number of bytes by their final state.
  private var sums: [String: Int] = [:]

  init(_ world: WorkerEnvironment) { self.world = world }

  /// A file that was written completely.
  private struct WrittenFile {
    /// The index in its session.
    let index: Int
    let count: Int
  }

  /// Accounts for all sessions and exits with 1 if data is lost or wrong.
  func run() throws {
    var sessions: [String: [WrittenFile]] = [:]
    var taken: Set<String> = []
    var startedLogs: Set<String> = []
    var finishedLogs: Set<String> = []
    for line in try world.acknowledgments.lines() where line.count > 1 {
      switch line[0] {
      case "strange": sessions[line[1], default: []] += []
      case "put" where line.count == 4:
        sessions[line[1], default: []].append(WrittenFile(index: Int(line[2]) ?? 0, count: Int(line[3]) ?? 0))
      case "took": taken.insert(line[1])
      case "speaks": startedLogs.insert(line[1])
      case "spoke": finishedLogs.insert(line[1])
      default: continue
      }
    }
    for (text, files) in sessions {
      guard let id = SessionID(text) else { continue }
      let erasures = (finishedLogs.contains(text) ? 1 : 0)...(startedLogs.contains(text) ? 1 : 0)
      try account(id, files, mustBeRemoved: taken.contains(text), erasures: erasures)
    }
    let parts = sums.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    printLine("\(sessions.count) sessions, \(sums.values.reduce(0, +)) bytes: \(parts)")
    if faults > 0 { exit(1) }
  }

  private func wrong(_ what: String) {
    faults += 1
    printLine("WRONG: \(what)")
  }

  private func account(
    _ id: SessionID,
    _ files: [WrittenFile],
    mustBeRemoved: Bool,
    erasures: ClosedRange<Int>
  )
    throws
  {
    let app = try world.app()
    guard let bytes = try? FileSystem.contents(app.record(id)) else { return wrong("\(id) has no record") }
    let record = try SessionRecord(json: JSONNode.parse(bytes, limits: .record).value)
    let exists = try FileSystem.status(app.content(id)) != nil
    let receipts = record.erased.filter { $0.what == "content" }
    if receipts.count != (record.content.delivered && !exists ? 1 : 0) {
      wrong("\(id) has \(receipts.count) receipts; its content \(exists ? "exists" : "does not exist")")
    }
    if mustBeRemoved && exists { wrong("\(id) was removed, but still exists") }
    if !erasures.contains(record.erased.count { $0.what == "session directory" }) {
      wrong("\(id) was erased \(record.erased)")
    }
    let delivered = exists ? try digests(app.content(id)) : []
    if exists, record.files.count != delivered.count {
      wrong("\(id) has \(delivered.count) files, its record \(record.files.count)")
    }
    let quarantined = try digests("\(app.quarantine(id))/items")
    let recorded = Set(record.files.compactMap(\.sha256))
    for file in files {
      let digest = try SHA256Digest.of(MisbehavingSessions.bytes(id, file.index, file.count)).description
      if exists, delivered.contains(digest), recorded.contains(digest) {
        sums["delivered", default: 0] += file.count
      } else if quarantined.contains(digest) {
        sums["quarantined", default: 0] += file.count
      } else if !exists, !receipts.isEmpty, recorded.contains(digest) {
        sums["erased by the app", default: 0] += file.count
      } else {
        wrong("\(file.count) bytes of file \(file.index) of \(id) are lost")
      }
    }
  }

  /// Returns the digests of all files below a directory.
  private func digests(_ directory: String) throws -> [String] {
    guard try FileSystem.status(directory) != nil else { return [] }
    return try Tree.list(directory).filter { $0.status.kind == .regular }.map { entry in
      try SHA256Digest.of(FileSystem.open("\(directory)/\(entry.path)", [.noFollow])).description
    }
  }
}
