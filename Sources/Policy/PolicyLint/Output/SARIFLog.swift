// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// Findings in the Static Analysis Results Interchange Format (SARIF) 2.1.0, an OASIS standard for code
/// hosting services.
package struct SARIFLog: Sendable {
  /// The findings of all policies in a run.
  package var findings: [LintFinding]
  /// The version of Darkroom.
  package var version: String
  /// Returns whether a document is a file of the user. All other documents are part of Darkroom.
  package var isFile: @Sendable (String) -> Bool
  /// Returns the column of a position in UTF-16 code units, the unit of the format, or `nil` if it is
  /// unknown.
  package var column: @Sendable (PolicyOrigin) -> Int?

  /// The base ID for the URIs of policies that are part of Darkroom.
  private static let shippedBase = "DARKROOM_POLICIES"
  /// The URL of the JSON schema of the format.
  private static let schema = "https://json.schemastore.org/sarif-2.1.0.json"

  /// Creates a log.
  package init(
    _ findings: [LintFinding],
    version: String,
    isFile: @escaping @Sendable (String) -> Bool,
    column: @escaping @Sendable (PolicyOrigin) -> Int?
  ) {
    self.findings = findings
    self.version = version
    self.isFile = isFile
    self.column = column
  }

  /// The log as JSON.
  package var json: JSONValue {
    let base: JSONValue = [
      "description": ["text": "The directory of Darkroom's policies: Policies/ in its source tree."]
    ]
    let run: JSONValue = [
      "tool": [
        "driver": [
          "name": "darkroom policy check",
          "version": .string(version),
          "rules": .array(PolicyRules.descriptions.map(Self.rule)),
        ]
      ],
      "originalUriBaseIds": .object([JSONValue.Member(Self.shippedBase, base)]),
      "columnKind": "utf16CodeUnits",
      "results": .array(results),
    ]
    return ["$schema": .string(Self.schema), "version": "2.1.0", "runs": .array([run])]
  }

  /// Returns a reporting descriptor for a rule.
  private static func rule(_ rule: RuleDescription) -> JSONValue {
    [
      "id": .string(rule.id),
      "name": .string(rule.name),
      "shortDescription": ["text": .string(rule.summary + ".")],
      "fullDescription": ["text": .string(rule.justification)],
      "help": [
        "text": .string("\(rule.justification)\n\n\(rule.remediation)"),
        "markdown": .string("\(rule.justification)\n\n**Fix:** \(rule.remediation)"),
      ],
      "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
      "properties": ["tags": ["security", "sandbox"], "precision": "very-high"],
    ]
  }

  /// The results. Results with the same fingerprint are numbered.
  private var results: [JSONValue] {
    var seen: [String: Int] = [:]
    return findings.map { finding in
      seen[finding.fingerprint, default: 0] += 1
      return result(finding, number: seen[finding.fingerprint] ?? 1)
    }
  }

  /// Returns a finding as a result.
  private func result(_ finding: LintFinding, number: Int) -> JSONValue {
    let index = PolicyRules.descriptions.firstIndex { $0.id == finding.rule.id }
    let logical: JSONValue? =
      finding.keyPath.isEmpty
      ? nil
      : [["fullyQualifiedName": .string(finding.keyPath), "kind": "member"]]
    return .object([
      "ruleId": .string(finding.rule.id),
      "ruleIndex": index.map { .integer(Int64($0)) },
      "level": .string(finding.severity.rawValue),
      "message": ["text": .string("\(finding.message). \(finding.rule.remediation)")],
      "locations": [
        .object(["physicalLocation": location(finding.origin), "logicalLocations": logical])
      ],
      "partialFingerprints": ["darkroomFinding/v1": .string("\(finding.fingerprint):\(number)")],
      "suppressions": .array(finding.justification.map { [suppression($0)] } ?? []),
    ])
  }

  /// Returns a justification as a suppression.
  private func suppression(_ justification: PolicyJustification) -> JSONValue {
    [
      "kind": "inSource",
      "status": "accepted",
      "justification": .string(justification.reason),
      "location": ["physicalLocation": location(justification.origin)],
    ]
  }

  /// Returns a position as a physical location.
  private func location(_ origin: PolicyOrigin) -> JSONValue {
    let artifact: JSONValue =
      isFile(origin.source)
      ? ["uri": .string(Self.uri(origin.source))]
      : ["uri": .string(Self.uri(origin.source)), "uriBaseId": .string(Self.shippedBase)]
    return [
      "artifactLocation": artifact,
      "region": .object([
        "startLine": .integer(Int64(origin.position.line)),
        "startColumn": column(origin).map { .integer(Int64($0)) },
      ]),
    ]
  }

  /// Returns a path as a URI reference (RFC 3986). An absolute path gets the scheme `file`, and a leading
  /// `./` is removed.
  private static func uri(_ path: String) -> String {
    let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let encoded = plain.utf8.map { byte in
      guard !allowed.contains(byte) else { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
    return plain.hasPrefix("/") ? "file://\(encoded)" : encoded
  }
}
