// SPDX-License-Identifier: Apache-2.0

import JSONText
import LaunchPlanning
import Testing

@testable import SandboxAudit

/// The comparison with an attested report of version 1.
@Suite struct EarlierReportTests {
  /// A part of a current report.
  private static let part = AuditPart(
    id: "org.example.a",
    title: "a",
    sections: [
      section("enforcement", ["status": "full", "layers": [["name": "seccomp", "state": "enforced"]]]),
      section(
        "policy",
        ["sections": [["title": "Files", "statements": [["kind": "warning", "text": "beware"]]]]]
      ),
      section(
        "exposure",
        [
          "darkroom": ["operations": ["internet": ["socket"]]],
          "peers": [["id": "docker", "exposure": ["operations": ["internet": ["socket"]]]]],
        ]
      ),
      section(
        "findings",
        [["rule": "P1", "location": ["line": 1], "justified": ["reason": "x", "location": ["line": 2]]]]
      ),
    ]
  )

  private static func section(_ id: String, _ data: JSONValue) -> AuditSection {
    AuditSection(id: id, title: id, blocks: [], data: data)
  }

  /// Returns the changes since a report of version 1.
  private static func changes(status: JSONValue) -> JSONValue {
    let report: JSONValue = [
      "version": 1,
      "parts": [
        [
          "subject": "org.example.a",
          "enforcement": ["standing": status, "layers": [["name": "seccomp", "state": "enforced"]]],
          "policy": [
            "sections": [["title": "Files", "statements": [["kind": "beware", "text": "beware"]]]]
          ],
          "exposure": [
            "darkroom": ["deeds": ["internet": ["socket"]]],
            "peers": [["id": "docker", "exposure": ["deeds": ["internet": ["socket"]]]]],
          ],
          "findings": [
            ["rule": "P1", "place": ["line": 1], "justified": ["reason": "x", "place": ["line": 2]]]
          ],
        ]
      ],
    ]
    let attestation = AuditAttestation(createdAt: "2026-01-01", files: [], extensions: [], report: report)
    return part.changes(since: attestation).data
  }

  @Test func `finds no change if only the names differ`() {
    let changes = Self.changes(status: "whole")
    #expect(changes["known"] == true)
    #expect(changes["values"] == [])
  }

  @Test func `reports a change with the current names`() {
    #expect(
      Self.changes(status: "absent")["values"] == [
        ["path": "enforcement.status", "old": "\"unavailable\"", "new": "\"full\""]
      ]
    )
  }

  @Test func `reads the current version without renaming`() {
    let report: JSONValue = ["version": 2, "parts": [["enforcement": ["standing": "whole"]]]]
    #expect(EarlierReport.updated(report) == report)
  }
}
