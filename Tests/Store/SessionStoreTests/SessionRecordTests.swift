// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import SessionStore
import Testing

@Suite struct SessionRecordTests {
  /// A record without optional members.
  static let small = SessionRecord(
    sessionID: SessionID.random(),
    app: "org.example.camera",
    extensionID: "org.example.camera.capture",
    startedAt: 951_782_400_250,
    endedAt: 951_782_460_001,
    outcome: .completed(exitCode: 0)
  )

  /// A record with all members.
  static var large: SessionRecord {
    var record = small
    record.policy = .init(name: "capture", digest: "sha256:00")
    record.executableDigest = "sha256:11"
    record.permissions = [
      .init(.camera, .authorized, ground: "commandLine"),
      .init(.photos, .restricted, ground: "administrator"),
    ]
    record.enforcement = .init(
      status: .partial,
      layers: [
        .init(name: "seccomp", state: .enforced), .init(name: "landlock", state: .missing, detail: "ABI 0"),
      ],
      denials: [.init(access: "udp", mechanisms: ["seccomp"], checks: ["policyFilter", "socketFilter"])]
    )
    record.debugging = .attached
    record.steps = [.init(name: "clone", microseconds: 412)]
    record.frames = .init(produced: 9, consumed: 7, dropped: 2)
    record.cameraControls = [
      .init(id: "zoom", kind: "slider", title: "Zoom", value: 2.5, shown: "2.5×"),
      .init(id: "filter", kind: "picker", title: "Filter", value: 1, shown: "Mono"),
    ]
    record.files = [
      .init(path: "a/b.jpg", size: 1 << 40, sha256: "sha256:22", modified: 1_700_000_000_001),
      .init(path: "ü \"x\"", size: 0, modified: 0),
    ]
    record.quarantined = QuarantineReason.allCases.map { .init(path: "q", reason: $0) }
    record.sanitized = Sanitization.allCases.map {
      .init(path: "", change: $0, from: $0 == .renamed ? "a\\x0a" : nil)
    }
    record.content = .init(files: 2, bytes: 1 << 40, delivered: true, renamed: 1)
    record.violations = ["socket(AF_INET): refused"]
    record.refusals = [refusal(count: 1), refusal(count: 1 << 40)]
    record.refusalsOmitted = 7
    record.log = .init(bytes: 10, truncated: true)
    record.erased = [.init(what: "session directory", files: 1, bytes: 2, at: 3)]
    return record
  }

  /// Returns a refusal with all members.
  static func refusal(count: Int64) -> SessionRecord.Refusal {
    .init(
      layer: "seccomp",
      call: .init(
        "mount",
        [.init(name: "source", value: "0xffffffffffffffff", text: #""a\x1b""#)],
        program: "sh",
        thread: 4711,
        at: 951_782_400_250,
        count: count
      ),
      errno: "EPERM",
      explanation: .init(
        reason: "an extension sees and changes no mounts",
        origin: ["kind": "core", "area": "mounts"],
        fix: ["text": "do without", "policy": ["extending": "capture", "write": ["a": [1]]]],
        sentence: "sh was refused mount"
      )
    )
  }

  @Test(arguments: ["layer", "call", "thread", "at", "count", "origin", "fix", "sentence"])
  func `reports a missing member of a refusal`(_ name: String) throws {
    var members = Self.large.json.members ?? []
    let index = try #require(members.firstIndex { $0.name == "refusals" })
    let refusal = members[index].value.elements?.first?.members?.filter { $0.name != name } ?? []
    members[index].value = .array([.object(refusal)])
    let error = #expect(throws: DocumentFault.self) { try SessionRecord(json: .object(members)) }
    #expect(error?.description.contains("\"refusals[0].\(name)\"") == true)
  }

  @Test func `reads a record without refusals`() throws {
    let members = Self.large.json.members?.filter { !$0.name.hasPrefix("refusals") } ?? []
    let record = try SessionRecord(json: .object(members))
    #expect(record.refusals == [] && record.refusalsOmitted == 0)
  }

  @Test func `records the status and the reason of each permission`() {
    #expect(
      Self.large.json["permissions"] == [
        "camera": ["status": "authorized", "reason": "commandLine"],
        "photos": ["status": "restricted", "reason": "administrator"],
      ]
    )
  }

  @Test(arguments: ["status", "reason"]) func `reports a missing member of a permission`(_ name: String)
    throws
  {
    var members = Self.large.json.members ?? []
    let index = try #require(members.firstIndex { $0.name == "permissions" })
    let camera = members[index].value["camera"]?.members?.filter { $0.name != name } ?? []
    members[index].value = ["camera": .object(camera)]
    let error = #expect(throws: DocumentFault.self) { try SessionRecord(json: .object(members)) }
    #expect(error?.description.contains("\"permissions.camera.\(name)\"") == true)
  }

  @Test func `reads a record without permissions or with an unknown subject`()
    throws
  {
    var members = Self.large.json.members ?? []
    let index = try #require(members.firstIndex { $0.name == "permissions" })
    members[index].value = ["location": ["status": "authorized", "reason": "user"]]
    #expect(try SessionRecord(json: .object(members)).permissions == [])
    members.remove(at: index)
    #expect(try SessionRecord(json: .object(members)).permissions == [])
  }

  @Test(arguments: [small, large]) func `reads a record as written`(_ record: SessionRecord) throws {
    let text = record.json.text(.indented)
    #expect(try SessionRecord(json: JSONNode.parse(text).value) == record)
  }

  @Test func `reads a version 2 record with the earlier names and writes version 3`() throws {
    var record = Self.large
    record.outcome = .dismissed(.init(by: .user))
    record.permissions = [
      .init(.camera, .authorized, ground: "user"), .init(.microphone, .denied, ground: "prompted"),
      .init(.photosAddOnly, .notDetermined, ground: "promptRequired"),
      .init(.photos, .denied, ground: "missingUsageDescription"),
    ]
    let old = try Self.secondVersion(record)
    #expect(old["sanitized"] == nil && old["normalised"]?.elements?.count == record.sanitized.count)
    #expect(old["refusals"]?.elements?.first?["mend"] != nil)
    let read = try SessionRecord(json: old)
    #expect(read == record)
    #expect(read.json == record.json)
    #expect(read.json["version"] == 3)
  }

  /// Returns a record that the user dismissed with the names that version 2 wrote.
  private static func secondVersion(_ record: SessionRecord) throws -> JSONValue {
    let members = try #require(record.json.members)
    return .object(
      members.map { (member) -> JSONValue.Member in
        switch member.name {
        case "version": .init(member.name, 2)
        case "outcome": .init(member.name, ["kind": "dismissed", "by": "person"])
        case "permissions":
          .init(
            member.name,
            [
              "camera": ["status": "authorized", "ground": "person"],
              "microphone": ["status": "denied", "ground": "answer"],
              "photosAddOnly": ["status": "notDetermined", "ground": "unasked"],
              "photos": ["status": "denied", "ground": "undescribed"],
            ]
          )
        case "sanitized": .init("normalised", member.value)
        case "quarantined":
          .init(
            member.name,
            .array(
              (member.value.elements ?? []).map { item in
                item["reason"] == "notSanitizable" ? ["path": "q", "reason": "notNormalisable"] : item
              }
            )
          )
        case "refusals":
          .init(
            member.name,
            .array(
              (member.value.elements ?? []).map { refusal in
                .object(
                  (refusal.members ?? []).map { .init($0.name == "fix" ? "mend" : $0.name, $0.value) }
                )
              }
            )
          )
        default: member
        }
      }
    )
  }

  @Test func `writes times in ISO 8601`() {
    #expect(Self.small.json["startedAt"] == "2000-02-29T00:00:00.250Z")
  }

  @Test(arguments: ["version", "sessionID", "app", "startedAt", "outcome", "content"])
  func `reports a missing member of a record`(_ name: String) {
    let members = Self.large.json.members?.filter { $0.name != name } ?? []
    let error = #expect(throws: DocumentFault.self) { try SessionRecord(json: .object(members)) }
    #expect(error?.description.contains("\"\(name)\"") == true)
  }

  @Test func `reports the path of a nested fault`() throws {
    var members = Self.large.json.members ?? []
    let index = try #require(members.firstIndex { $0.name == "files" })
    members[index].value = [["path": "x", "size": 1, "modified": "yesterday"]]
    let error = #expect(throws: DocumentFault.self) { try SessionRecord(json: .object(members)) }
    #expect(error == .member("files[0].modified", expected: "a timestamp such as 2026-01-31T08:15:00.250Z"))
  }

  @Test func `ignores members of later versions`() throws {
    let members = (Self.small.json.members ?? []) + [.init("later", 1)]
    #expect(try SessionRecord(json: .object(members)) == Self.small)
  }
}
