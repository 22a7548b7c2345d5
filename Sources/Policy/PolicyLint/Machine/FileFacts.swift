// SPDX-License-Identifier: Apache-2.0

/// The scanned files of a machine at the paths of a policy.
package struct FileFacts: Sendable, Hashable {
  /// The results by path. A path without a result does not exist.
  package var paths: [String: PathFacts]
  /// The existing home directories of the machine's accounts.
  package var homes: Set<String>

  /// Creates file facts.
  package init(paths: [String: PathFacts], homes: Set<String> = []) {
    self.paths = paths
    self.homes = homes
  }
}

/// The result of scanning a path.
package struct PathFacts: Sendable, Hashable {
  /// The notable files, sorted by path, with at most ``FileFinding/maximumPerKind`` of each kind.
  package var findings: [FileFinding]
  /// The number of notable files by kind, including files that are not in ``findings``.
  package var counts: [FileFinding.Kind: Int]
  /// The number of entries that were examined.
  package var examinedEntries: Int
  /// Whether all entries were examined.
  package var isComplete: Bool

  /// Creates the result for a path.
  package init(
    findings: [FileFinding] = [],
    counts: [FileFinding.Kind: Int] = [:],
    examinedEntries: Int = 1,
    isComplete: Bool = true
  ) {
    self.findings = findings
    self.counts = counts
    self.examinedEntries = examinedEntries
    self.isComplete = isComplete
  }
}

/// A notable file.
package struct FileFinding: Sendable, Hashable {
  /// The reason why the file is notable.
  package var kind: Kind
  /// The path of the file.
  package var path: String

  /// The maximum number of files of one kind in the result for a path.
  package static let maximumPerKind = 3

  /// Creates a finding about a file.
  package init(_ kind: Kind, _ path: String) {
    self.kind = kind
    self.path = path
  }

  /// The reason why a file is notable.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A Unix socket, which a process may listen on.
    case socket
    /// A character or block device.
    case device
    /// A FIFO, which another process may read or write.
    case fifo
    /// A file that any user can write.
    case writableByOthers
    /// A set-user-ID or set-group-ID file.
    case setID
    /// A regular file with private keys or passwords, according to its name or its content.
    case secret
    /// A directory that the current user cannot list, or that has a name that is not UTF-8.
    case unreadable
  }
}
