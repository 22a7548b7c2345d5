// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The content of a signed audit: an in-toto Statement (version 1) about the files of extensions, with the
/// report.
package struct AuditAttestation: Sendable, Hashable {
  /// The time of the report, in the form of RFC 3339.
  package var createdAt: String
  /// The files that the statement is about.
  package var subjects: [Subject] = []
  /// The extensions that were audited.
  package var extensions: [Extension] = []
  /// The report, as `darkroom audit --json` prints it.
  package var report: JSONValue

  /// A file and its digest.
  package struct Subject: Sendable, Hashable {
    /// The name of the file, or `ID/PART` for a part of an extension.
    package var name: String
    /// The SHA-256 digest as 64 hexadecimal digits.
    package var sha256: String

    /// Creates a subject. `digest` may start with `sha256:`.
    package init(_ name: String, _ digest: String) {
      self.name = name
      sha256 = digest.hasPrefix("sha256:") ? String(digest.dropFirst("sha256:".count)) : digest
    }
  }

  /// An extension and the digests of all inputs of its sessions. Each digest is `sha256:` and 64 digits.
  package struct Extension: Sendable, Hashable {
    /// The extension's ID.
    package var id: String
    /// The digests by part.
    package var digests: [Part: String]

    /// Creates an extension from its ID and digests.
    package init(id: String, digests: [Part: String]) {
      self.id = id
      self.digests = digests
    }

    /// The parts whose digests are attested.
    package enum Part: String, Sendable, CaseIterable {
      /// All files of the app's bundle.
      case bundle
      /// The executable file.
      case executable
      /// The extension's manifest.
      case manifest
      /// The policy, including all policies that it extends.
      case policy
      /// The compiled filter of the policy.
      case filter
    }
  }

  /// The media type of the payload.
  package static let payloadType = "application/vnd.in-toto+json"
  /// The type of the statement.
  private static let statementType = "https://in-toto.io/Statement/v1"
  /// The type of the predicate.
  private static let predicateType = "https://darkroom.example/attestations/audit/v1"

  /// Creates an attestation about some extensions.
  ///
  /// - Parameters:
  ///   - createdAt: The time of the report (RFC 3339).
  ///   - files: The files of the report itself.
  ///   - extensions: The audited extensions.
  ///   - report: The report.
  package init(createdAt: String, files: [Subject], extensions: [Extension], report: JSONValue) {
    self.createdAt = createdAt
    self.extensions = extensions
    self.report = report
    subjects = files
    for each in extensions {
      subjects += Extension.Part.allCases.compactMap { part in
        each.digests[part].map { Subject("\(each.id)/\(part.rawValue)", $0) }
      }
    }
  }

  /// The statement as JSON.
  package var statement: JSONValue {
    [
      "_type": .string(Self.statementType),
      "subject": .array(
        subjects.map { ["name": .string($0.name), "digest": ["sha256": .string($0.sha256)]] }
      ),
      "predicateType": .string(Self.predicateType),
      "predicate": [
        "madeAt": .string(createdAt),
        "extensions": .array(
          extensions.map { each in
            .object(
              [.init("id", .string(each.id))]
                + Extension.Part.allCases.compactMap { part in
                  each.digests[part].map { .init(part.rawValue, .string($0)) }
                }
            )
          }
        ),
        "report": report,
      ],
    ]
  }

  /// Creates an attestation from a statement whose signature has been verified.
  package init(verified payload: [UInt8]) throws(AttestationError) {
    let value: JSONValue
    do { value = try JSONNode.parse(payload, limits: DSSEEnvelope.limits).value } catch {
      throw .notJSON("\(error)")
    }
    for (member, expected) in [("_type", Self.statementType), ("predicateType", Self.predicateType)] {
      let found = value[member]?.string ?? ""
      guard found == expected else { throw .wrongType(found, expected: expected) }
    }
    guard let predicate = value["predicate"], let createdAt = predicate["madeAt"]?.string,
      let report = predicate["report"]
    else { throw .missing("predicate") }
    var extensions: [Extension] = []
    for element in predicate["extensions"]?.elements ?? [] {
      guard let id = element["id"]?.string else { throw .missing("id") }
      var digests: [Extension.Part: String] = [:]
      for part in Extension.Part.allCases {
        guard let digest = element[part.rawValue]?.string else { throw .missing(part.rawValue) }
        digests[part] = digest
      }
      extensions.append(Extension(id: id, digests: digests))
    }
    var files: [Subject] = []
    for element in value["subject"]?.elements ?? [] {
      guard let name = element["name"]?.string, let digest = element["digest"]?["sha256"]?.string else {
        throw .missing("subject")
      }
      files.append(Subject(name, digest))
    }
    self.init(createdAt: createdAt, files: [], extensions: extensions, report: report)
    guard subjects.allSatisfy(files.contains) else { throw .missing("subject") }
    subjects = files
  }

  /// Returns the parts of an extension whose digests differ from the attested ones, or `nil` if the extension
  /// was not audited.
  package func differences(from found: Extension) -> [Difference]? {
    guard let attested = extensions.first(where: { $0.id == found.id }) else { return nil }
    return Extension.Part.allCases.compactMap { part in
      let (old, new) = (attested.digests[part] ?? "", found.digests[part] ?? "")
      return old == new && !new.isEmpty ? nil : Difference(part: part, attested: old, found: new)
    }
  }

  /// A part whose digest differs from the attested one.
  package struct Difference: Sendable, Hashable {
    /// The part that differs.
    package var part: Extension.Part
    /// The attested digest.
    package var attested: String
    /// The digest of the installed part.
    package var found: String
  }
}
