// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about files that a session can create in its content directory.
extension PolicyRule {
  /// The rule that finds calls that create special files.
  static let specialFiles = PolicyRule(
    "DR1302",
    "special-files",
    .warning,
    summary: "Device nodes, FIFOs or sockets can be made",
    justification:
      "A special file makes whoever opens it read from somebody else, or wait for ever. The hand-over keeps what a session "
      + "leaves of them apart; that is the second of two doors.",
    remediation: "Remove the call; pipes between processes of the session need no name."
  ) { linted in
    linted.hits(for: ["mknod", "mknodat"]) { _ in "makes special files" }
  }

  /// The rule that finds calls that create links.
  static let links = PolicyRule(
    "DR1303",
    "links",
    .note,
    summary: "Links can be made",
    justification:
      "A link in what a session leaves can lead whoever follows it to another file. The hand-over keeps links apart, so that "
      + "what they stand for does not reach the app.",
    remediation: "Remove the calls; programs rename or copy instead."
  ) { linted in
    linted.hits(for: ["link", "linkat", "symlink", "symlinkat"]) { _ in "makes links" }
  }

  /// The rule that finds calls that change extended attributes.
  static let fileAttributes = PolicyRule(
    "DR1304",
    "file-attributes",
    .note,
    summary: "Extended attributes of files can be changed",
    justification:
      "Attributes carry capabilities, access lists and labels, and travel with a file unseen. The code of file systems "
      + "that reads them has often been wrong.",
    remediation: "Remove the calls; programs that copy attributes go on when they hear that there are none."
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
      "The flags and the mode of openat2 are in memory, where a filter cannot look. Rules for open and openat mean "
      + "nothing beside it.",
    remediation: "Remove openat2; programs fall back to openat."
  ) { linted in
    linted.hits(for: ["openat2"]) { _ in "takes its flags and its mode from memory" }
  }
}
