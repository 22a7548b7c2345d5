// SPDX-License-Identifier: Apache-2.0

import JSONText
import LaunchPlanning
import Testing

@Suite struct AttestationTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]) func `base64 follows RFC 4648, section 10`(plain: String, text: String) {
    #expect(Base64.encode(Array(plain.utf8)) == text)
    #expect(Base64.decode(text) == Array(plain.utf8))
  }

  @Test(arguments: ["Zg", "Zh==", "Zg==Zg==", "Z===", "Zm9v\n", "Zm 9v", "Zm9_"])
  func `rejects non-canonical base64`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func `signs the bytes of the DSSE specification example`() {
    let envelope = DSSEEnvelope(
      payloadType: "http://example.com/HelloWorld",
      payload: Array("hello world".utf8)
    )
    #expect(
      envelope.signedBytes == Array("DSSEv1 29 http://example.com/HelloWorld 11 hello world".utf8)
    )
  }

  @Test func `an envelope is decoded as encoded`() throws {
    var envelope = DSSEEnvelope(payloadType: "type", payload: [0, 1, 255])
    envelope.signatures = [.init(keyID: "key", bytes: [7]), .init(keyID: "", bytes: [8, 9])]
    #expect(try DSSEEnvelope(envelope.json.bytes(.indented)) == envelope)
  }

  @Test func `returns a payload only if its type and a signature are valid`() throws {
    var envelope = DSSEEnvelope(payloadType: "type", payload: [1])
    envelope.signatures = [.init(keyID: "", bytes: [1]), .init(keyID: "", bytes: [2])]
    #expect(try envelope.verifiedPayload(type: "type") { $0 == envelope.signedBytes && $1 == [2] } == [1])
    #expect(throws: AttestationError.wrongSignature) {
      try envelope.verifiedPayload(type: "type") { _, _ in false }
    }
    #expect(throws: AttestationError.wrongType("type", expected: "other")) {
      try envelope.verifiedPayload(type: "other") { _, _ in true }
    }
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"payloadType":"a","payload":"Zg=="}"#,
    #"{"payloadType":"a","payload":"Zg==","signatures":[]}"#,
    #"{"payloadType":"a","payload":"Zg","signatures":[{"sig":"Zg=="}]}"#,
    #"{"payloadType":"a","payload":"Zg==","signatures":[{"keyid":"x"}]}"#,
  ]) func `rejects a file that is not an envelope`(text: String) {
    #expect(throws: AttestationError.self) { try DSSEEnvelope(Array(text.utf8)) }
  }

  private static let digests = Dictionary(
    uniqueKeysWithValues: AuditAttestation.Extension.Part.allCases.map { part in
      (part, "sha256:" + String(repeating: String(part.rawValue.utf8.count % 10), count: 64))
    }
  )

  private static var attestation: AuditAttestation {
    AuditAttestation(
      createdAt: "2026-01-01T00:00:00Z",
      files: [.init("report.json", "sha256:aa")],
      extensions: [.init(id: "org.example.a", digests: digests)],
      report: ["version": 1]
    )
  }

  @Test func `a statement is decoded as encoded`() throws {
    let statement = Self.attestation.statement
    #expect(statement["_type"] == "https://in-toto.io/Statement/v1")
    #expect(statement["subject"]?.elements?.first?["digest"] == ["sha256": "aa"])
    #expect(try AuditAttestation(verified: statement.bytes(.compact)) == Self.attestation)
  }

  @Test(arguments: AuditAttestation.Extension.Part.allCases)
  func `reports a difference if the digest of any part differs`(part: AuditAttestation.Extension.Part) throws
  {
    var found = AuditAttestation.Extension(id: "org.example.a", digests: Self.digests)
    #expect(Self.attestation.differences(from: found) == [])
    found.digests[part] = "sha256:other"
    #expect(Self.attestation.differences(from: found)?.map(\.part) == [part])
    found.digests[part] = nil
    #expect(Self.attestation.differences(from: found)?.map(\.part) == [part])
    found.id = "org.example.b"
    #expect(Self.attestation.differences(from: found) == nil)
  }

  @Test func `rejects a statement without one of the digests`() throws {
    var statement = Self.attestation
    statement.extensions[0].digests[.filter] = nil
    #expect(throws: AttestationError.missing("filter")) {
      try AuditAttestation(verified: statement.statement.bytes(.compact))
    }
  }

  @Test func `a key is decoded as encoded and only as its own kind`() {
    let key = (0..<32).map { UInt8($0) }
    let text = SigningKeyText.encode(key, .privateKey)
    #expect(SigningKeyText.decode(text, .privateKey) == key)
    #expect(SigningKeyText.decode(text, .publicKey) == nil)
    #expect(SigningKeyText.decode(SigningKeyText.encode(key, .publicKey), .publicKey) == key)
    #expect(
      SigningKeyText.decode("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n", .publicKey) == nil
    )
  }

  @Test func `reports changes with their paths`() {
    let old: JSONValue = ["a": ["x", "y"], "b": ["c": 1, "d": [["e": 1]]], "gone": true]
    let new: JSONValue = ["a": ["y", "z"], "b": ["c": 2, "d": [["e": 1], ["e": 2]]]]
    let changes = ReportChanges(from: old, to: new).all
    #expect(changes.map(\.path) == ["a", "a", "b.c", "b.d[1]", "gone"])
    #expect(changes.map(\.new) == ["z", nil, "2", #"{"e":2}"#, nil])
    #expect(ReportChanges(from: old, to: old).all.isEmpty)
  }
}
