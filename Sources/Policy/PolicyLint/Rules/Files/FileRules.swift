// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about files that a session can create in its content directory.
extension PolicyRule {
  /// The rule that finds calls that create special files.
  static let specialFiles = PolicyRule(
    "DR1302",
    "special-files",
    .warning,
    summary: "Device nodes, FIFOs or sockets can be created",
    justification:
      "A program that opens a special file reads data of another process or blocks forever. The migration "
      + "quarantines special files as a second line of defense.",
    remediation: "Remove the call; use unnamed pipes between processes of the session."
  ) { linted in
    linted.hits(for: ["mknod", "mknodat"]) { _ in "creates special files" }
  }

  /// The rule that finds calls that create links.
  static let links = PolicyRule(
    "DR1303",
    "links",
    .note,
    summary: "Links can be created",
    justification:
      "A link in the session's content can redirect a program that follows it to another file. The migration "
      + "quarantines links, so the app does not receive them.",
    remediation: "Remove the calls; programs rename or copy files instead."
  ) { linted in
    linted.hits(for: ["link", "linkat", "symlink", "symlinkat"]) { _ in "creates links" }
  }

  /// The rule that finds calls that change extended attributes.
  static let fileAttributes = PolicyRule(
    "DR1304",
    "file-attributes",
    .note,
    summary: "Extended attributes of files can be changed",
    justification:
      "Extended attributes contain capabilities, access control lists and labels, and are copied invisibly with a "
      + "file. The kernel code that parses them has often had vulnerabilities.",
    remediation: "Remove the calls; programs that copy attributes continue if attributes are unsupported."
  ) { linted in
    let calls = [
      "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr", "fremovexattr",
      "removexattrat", "file_setattr",
    ]
    return linted.hits(for: calls) { _ in "changes attributes of files" }
  }

  /// The rule that finds calls with flags in memory.
  static let hiddenOpenFlags = PolicyRule(
    "DR1305",
    "hidden-open-flags",
    .warning,
    summary: "Files can be opened with flags that no filter sees",
    justification:
      "The flags and the mode of openat2 are in memory, which a filter cannot read. Rules for open and openat are "
      + "ineffective if openat2 is allowed.",
    remediation: "Remove openat2; programs fall back to openat."
  ) { linted in
    linted.hits(for: ["openat2"]) { _ in "reads its flags and its mode from memory" }
  }
}
