// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The names of members and values in versions 1 and 2 of the record, and their names in version 3.
enum EarlierSpelling {
  /// All renamings. Values precede members, because their paths have the old names of members.
  private static let renamings: [JSONRenaming] = [
    .value(path: ["outcome", "by"], old: "person", new: "user"),
    // Only version 1 has this member.
    .value(path: ["outcome", "reason"], old: "person", new: "user"),
    .value(path: ["outcome", "ending", "kind"], old: "asked", new: "requested"),
    .value(path: ["outcome", "ending", "kind"], old: "outstayed", new: "timedOut"),
    .value(path: ["permissions", JSONRenaming.each, "ground"], old: "person", new: "user"),
    .value(path: ["permissions", JSONRenaming.each, "ground"], old: "answer", new: "prompted"),
    .value(path: ["permissions", JSONRenaming.each, "ground"], old: "unasked", new: "promptRequired"),
    .value(
      path: ["permissions", JSONRenaming.each, "ground"],
      old: "undescribed",
      new: "missingUsageDescription"
    ),
    .value(
      path: ["quarantined", JSONRenaming.each, "reason"],
      old: "notNormalisable",
      new: "notSanitizable"
    ),
    .member(path: [], old: "normalised", new: "sanitized"),
    .member(path: ["outcome"], old: "came", new: "satisfied"),
    .member(path: ["permissions", JSONRenaming.each], old: "ground", new: "reason"),
    .member(path: ["refusals", JSONRenaming.each], old: "mend", new: "fix"),
  ]

  /// Returns the current name of a quarantine reason in the list of a quarantine, which has no version.
  static func updatedQuarantineReason(_ name: String) -> String {
    name == "notNormalisable" ? "notSanitizable" : name
  }

  /// Returns a record of version 1 or 2 with the names of version 3. The version remains unchanged.
  static func updated(_ record: JSONValue) -> JSONValue { record.updated(by: renamings) }
}
