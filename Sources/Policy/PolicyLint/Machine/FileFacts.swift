// SPDX-License-Identifier: Apache-2.0

/// What paths of a machine hold, as far as somebody has looked.
package struct FileFacts: Sendable, Hashable {
  /// What each path holds; a path that is not here does not exist.
  package var paths: [String: PathFacts]
  /// The home directories of the people and services of this machine that are really there.
  package var homes: Set<String>

  /// Tells of files.
  package init(paths: [String: PathFacts], homes: Set<String> = []) {
    self.paths = paths
    self.homes = homes
  }
}

/// What one path holds.
package struct PathFacts: Sendable, Hashable {
  /// What is remarkable in it, in the order of its paths; at most ``FileFinding/perKind`` of each kind.
  package var findings: [FileFinding]
  /// How many there are of each kind, those that are not listed too.
  package var counts: [FileFinding.Kind: Int]
  /// How many entries were looked at.
  package var seen: Int
  /// Whether all of it was looked at.
  package var isComplete: Bool

  /// Tells of a path.
  package init(
    findings: [FileFinding] = [],
    counts: [FileFinding.Kind: Int] = [:],
    seen: Int = 1,
    isComplete: Bool = true
  ) {
    self.findings = findings
    self.counts = counts
    self.seen = seen
    self.isComplete = isComplete
  }
}

/// A remarkable file.
package struct FileFinding: Sendable, Hashable {
  /// Why it is remarkable.
  package var kind: Kind
  /// Its path.
  package var path: String

  /// How many files of a kind are listed for a path.
  package static let perKind = 3

  /// Tells of a file.
  package init(_ kind: Kind, _ path: String) {
    self.kind = kind
    self.path = path
  }

  /// Why a file is remarkable.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Somebody listens at it, or did.
    case socket
    /// A character or block device.
    case device
    /// A FIFO: somebody may read or write at its other end.
    case fifo
    /// Everybody may change it.
    case writableByOthers
    /// It runs as its owner or its group.
    case setID
    /// A regular file that holds private keys or passwords, as its name or its content shows.
    case secret
    /// It cannot be looked into by this user.
    case unreadable
  }
}
