// SPDX-License-Identifier: Apache-2.0

internal import LaunchPlanning
package import SandboxPolicy

/// The commits that introduced the rules of a policy document.
package struct PolicyDocumentHistory {
  /// The commits that changed the document.
  package let file: GitFileHistory
  /// The rules of the policy with their ages.
  package let grants: [(grant: GrantHistory.Grant, age: GrantHistory.Age)]

  /// Reads the history of a document. The current shipped policies are used for all commits.
  ///
  /// - Parameters:
  ///   - path: The path of the document.
  ///   - policy: The current policy of the document.
  ///   - limit: The maximum number of commits.
  /// - Throws: The reason why the commits cannot be read.
  package init(
    of path: String,
    _ policy: ResolvedPolicy,
    limit: Int
  ) throws(GitFileHistory.Fault) {
    file = try GitFileHistory(of: path, limit: limit)
    var versions: [ResolvedPolicy?] = []
    for commit in file.commits {
      let text = try file.content(after: commit)
      versions.append(text.flatMap { try? PolicyFinder.document($0, at: path).policy })
      // A rule in a version before an unreadable one has no uninterrupted history.
      if versions.last == .some(nil) { break }
    }
    grants = GrantHistory(now: policy, versions: versions).grants
  }

  /// Returns the commit of an age, or `nil` for an uncommitted rule, and whether the rule can be older.
  package func origin(of age: GrantHistory.Age) -> (commit: GitFileHistory.Commit?, mayBeOlder: Bool) {
    switch age {
    case .uncommitted: (nil, false)
    case .since(let index):
      // If the list of commits was truncated, the oldest commit in it may not have introduced the rule.
      (file.commits[index], !file.isComplete && index == file.commits.count - 1)
    case .atLeast(let index): (file.commits[index], true)
    }
  }
}
