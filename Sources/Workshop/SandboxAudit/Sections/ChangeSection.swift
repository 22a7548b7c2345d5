// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LaunchPlanning

extension AuditPart {
  /// The sections that differ from run to run even if nothing was changed, or that repeat other sections.
  private static let volatile: Set<String> = ["subject", "summary", "sessions", "attack", "changes"]

  /// Returns the values of sections that are comparable with another run. The details of layers are omitted,
  /// because they contain IDs.
  private static func comparable(_ sections: [JSONValue.Member]) -> JSONValue {
    .object(
      sections.filter { !volatile.contains($0.name) }.map { section in
        guard section.name == "enforcement", let layers = section.value["layers"]?.elements else {
          return section
        }
        var members = (section.value.members ?? []).filter { $0.name != "layers" }
        members.append(
          .init("layers", .object(layers.map { .init($0["name"]?.string ?? "", $0["state"] ?? .null) }))
        )
        return .init(section.name, .object(members))
      }
    )
  }

  /// Returns the section about all differences from the signed report.
  package func changes(since signed: AuditAttestation) -> AuditSection {
    let parts = EarlierReport.updated(signed.report)["parts"]?.elements ?? []
    let old = parts.first { $0["subject"]?.string == id }
    let before = Self.comparable(old?.members ?? [])
    let now = Self.comparable(sections.map { .init($0.id, $0.data) })
    let changes = old == nil ? [] : ReportChanges(from: before, to: now).all
    let rows = changes.map { change in
      [
        AuditCell(change.path), AuditCell(change.old ?? "(absent)"),
        AuditCell(change.new ?? "(absent)", .warning),
      ]
    }
    let sentence =
      old == nil
      ? "The signed report of \(signed.createdAt) does not cover this extension."
      : changes.isEmpty
        ? "Nothing has changed since the signed report of \(signed.createdAt)."
        : "\(changes.count == 1 ? "1 value has" : "\(changes.count) values have") changed since the signed report of "
          + "\(signed.createdAt)."
    return AuditSection(
      id: "changes",
      title: "Changes since the last signed report",
      blocks: [.notice(old == nil || !changes.isEmpty ? .warning : .note, sentence)]
        + (rows.isEmpty
          ? []
          : [.table(.init(caption: "Changes", columns: ["Value", "Signed", "Now"], rows: rows))]),
      data: [
        "since": .string(signed.createdAt), "known": .bool(old != nil),
        "values": .array(
          changes.map { change in
            [
              "path": .string(change.path), "old": change.old.map(JSONValue.string) ?? .null,
              "new": change.new.map(JSONValue.string) ?? .null,
            ]
          }
        ),
      ]
    )
  }
}
