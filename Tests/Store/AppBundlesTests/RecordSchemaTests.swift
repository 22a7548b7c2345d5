// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@testable import SessionStore

/// The schema of session records, which apps in other languages read. The tests are in this module because it
/// uses `SchemaCheck`.
@Suite struct RecordSchemaTests {
  private let check: SchemaCheck

  init() throws { check = SchemaCheck(try JSONNode.parse(RecordSchema.bytes).value) }

  /// Returns a record with one of each element that the schema names.
  private func record(_ outcome: SessionOutcome) -> SessionRecord {
    var record = SessionRecord(
      sessionID: .random(),
      app: "org.example.camera",
      extensionID: "org.example.camera.capture",
      startedAt: -1,
      endedAt: .max,
      outcome: outcome
    )
    let digest = "sha256:" + String(repeating: "0a", count: 32)
    record.files = [
      .init(path: "a", size: 1, sha256: digest, modified: 0), .init(path: "b/c", size: 0, modified: 5),
    ]
    record.content = .init(files: 2, bytes: 1, delivered: true, renamed: 1)
    record.quarantined = [.init(path: "link", reason: .symbolicLink)]
    let longest = FileName.formerText([UInt8](repeating: 0xFF, count: 255))
    record.sanitized = [
      .init(path: "a", change: .attributesRemoved), .init(path: "b", change: .renamed, from: longest),
    ]
    record.ingested = [.init(asset: "7", path: "2026/01/a.jpg")]
    record.erased = [.init(what: "content", files: 2, bytes: 1, at: 7)]
    return record
  }

  @Test(arguments: [
    SessionOutcome.completed(exitCode: 0), .signaled(.kill), .violated(.init(.sessionBytes)),
    .timedOut(.launch), .watchdog(.init(missing: [.viewfinder])),
    .protocolViolation(.init(sentence: "x")), .dismissed(.init(by: .user)),
    .hostFailure(.init(.launch, step: "clone3", errno: nil, sentence: "x")),
  ])
  func `every outcome produces a record that matches the schema`(outcome: SessionOutcome) throws {
    let json = record(outcome).json
    #expect(try check.faults(in: json) == [])
    #expect(json["reason"]?.string == "\(outcome)")
  }

  @Test(arguments: ["version", "sessionID", "outcome", "reason", "content", "files", "erased"])
  func `a record without a required member does not match the schema`(member: String) throws {
    var members = record(.completed(exitCode: 0)).json.members ?? []
    members.removeAll { $0.name == member }
    #expect(try check.faults(in: .object(members)) == [": required"])
  }
}
