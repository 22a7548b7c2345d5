// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about unknown names.
extension PolicyRule {
  /// The rule that reports unknown calls, groups and constants.
  static let unknownName = PolicyRule(
    "DR0101",
    "unknown-name",
    .error,
    summary: "A call, a group or a constant does not exist",
    justification: "A rule for a name that nobody knows would silently enforce nothing.",
    remediation: "Correct the name; a request or flag without a name is written as a number."
  ) { _ in [] }

  /// The rule that finds calls that libseccomp does not know.
  static let unknownToLibrary = PolicyRule(
    "DR0102",
    "unknown-to-libseccomp",
    .note,
    .library,
    summary: "A call is newer than the libseccomp of this machine",
    justification:
      "Darkroom adds it by number from a table of its own. Other tools that are built on this library neither "
      + "resolve nor show it, so that a second opinion on the filter is hard to get.",
    remediation: "Leave the call out, or use a newer libseccomp."
  ) { linted in
    guard let library = linted.machine.library else { return [] }
    let names = SystemCallTable.native.numbers.keys.filter { !library.calls.contains($0) }
    return linted.hits(for: names) { _ in "is not known to libseccomp \(library.version)" }
  }
}
