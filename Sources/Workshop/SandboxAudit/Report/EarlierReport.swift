// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The names of members and values in version 1 of the report, and their names in version 2.
enum EarlierReport {
  /// All renamings. Values precede members, because their paths have the old names of members.
  private static let renamings: [JSONRenaming] = [
    .value(path: part + ["enforcement", "standing"], old: "whole", new: "full"),
    .value(path: part + ["enforcement", "standing"], old: "absent", new: "unavailable"),
    .value(
      path: part + ["policy", "sections", each, "statements", each, "kind"],
      old: "beware",
      new: "warning"
    ),
    .value(path: part + ["summary", each, "kind"], old: "beware", new: "warning"),
    .member(path: part + ["enforcement"], old: "standing", new: "status"),
    .member(path: part + ["exposure", "darkroom"], old: "deeds", new: "operations"),
    .member(path: part + ["exposure", "peers", each, "exposure"], old: "deeds", new: "operations"),
    .member(path: part + ["sessions"], old: "logIsRight", new: "logIsValid"),
  ]

  private static let each = JSONRenaming.each
  private static let part = ["parts", JSONRenaming.each]

  /// Returns a report with the names of version 2, so that it can be compared with a current one.
  static func updated(_ report: JSONValue) -> JSONValue {
    report["version"]?.integer == 1 ? report.updated(by: renamings) : report
  }
}
