// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The names of members and values in version 1 of the report, and their names in version 2.
enum EarlierReport {
  /// All renamings. Values precede members, because their paths have the old names of members.
  private static let renamings: [JSONRenaming] = [
    .value(path: path("enforcement", "standing"), old: "whole", new: "full"),
    .value(path: path("enforcement", "standing"), old: "absent", new: "unavailable"),
    .value(
      path: path("policy", "sections", each, "statements", each, "kind"),
      old: "beware",
      new: "warning"
    ),
    .value(path: path("summary", each, "kind"), old: "beware", new: "warning"),
    .member(path: path("enforcement"), old: "standing", new: "status"),
    .member(path: path("exposure", "darkroom"), old: "deeds", new: "operations"),
    .member(path: path("exposure", "peers", each, "exposure"), old: "deeds", new: "operations"),
    .member(path: path("findings", each), old: "place", new: "location"),
    .member(path: path("findings", each, "justified"), old: "place", new: "location"),
    .member(path: path("sessions"), old: "logIsRight", new: "logIsValid"),
  ]

  private static let each = JSONRenaming.each

  /// Returns the path of a member of all parts.
  private static func path(_ components: String...) -> [String] { ["parts", each] + components }

  /// Returns a report with the names of version 2, so that it can be compared with a current one.
  static func updated(_ report: JSONValue) -> JSONValue {
    report["version"]?.integer == 1 ? report.updated(by: renamings) : report
  }
}
