// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

/// Checks of records that do not depend on acknowledged operations.
extension Check {
  /// Checks that each delivered directory has a record that lists its files, and that a record without
  /// content has a receipt.
  func checkRecords() throws {
    let app = try world.app()
    guard try FileSystem.status(app.contentDirectory) != nil else { return }
    let delivered = Set(try FileSystem.names(in: app.contentDirectory))
    let records = try FileSystem.names(in: app.recordsDirectory).filter { $0.hasSuffix(".json") }
      .map { String($0.dropLast(5)) }
    for name in delivered.subtracting(records) { fail("\(name) was delivered and has no record") }
    for name in records {
      guard let id = SessionID(name) else { continue }
      let bytes = try FileSystem.contents(app.record(id)) ?? []
      let record = try SessionRecord(json: JSONNode.parse(bytes, limits: .record).value)
      guard delivered.contains(name) else {
        let isTaken = record.erased.contains { $0.what == "content" }
        expect(!record.content.delivered || isTaken, "\(name) is recorded as delivered, but is missing")
        continue
      }
      let files = try Tree.list(app.content(id)).filter { $0.status.kind == .regular }
      let sizes = Dictionary(uniqueKeysWithValues: files.map { ($0.path, Int64($0.status.size)) })
      let said = Dictionary(record.files.map { ($0.path, Int64($0.size)) }) { first, _ in first }
      expect(
        record.content.delivered && said == sizes,
        "the record of \(name) has \(said), but there is \(sizes)"
      )
    }
  }
}
