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
    justification: "A rule for an unknown name would silently enforce nothing.",
    remediation: "Correct the name; write a request or flag without a name as a number."
  ) { _ in [] }

  /// The rule that finds calls that libseccomp does not know.
  static let unknownToLibrary = PolicyRule(
    "DR0102",
    "unknown-to-libseccomp",
    .note,
    .library,
    summary: "A call is newer than the libseccomp of this machine",
    justification:
      "Darkroom adds the call by the number in its own table. Other tools that use this libseccomp can neither "
      + "resolve nor display the call, so the filter is hard to verify with them.",
    remediation: "Remove the call, or use a newer libseccomp."
  ) { linted in
    guard let library = linted.machine.library else { return [] }
    let names = SystemCallTable.native.numbers.keys.filter { !library.calls.contains($0) }
    return linted.hits(for: names) { _ in "is unknown to libseccomp \(library.version)" }
  }
}
