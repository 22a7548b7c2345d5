// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import LaunchPlanning
internal import SandboxAudit
internal import SandboxPolicy

/// The commits that introduced the rules of a policy document in a Git repository.
public struct PolicyHistory: Sendable, Hashable {
  /// A commit that changed the document.
  public struct Commit: Sendable, Hashable {
    /// The object name.
    public let id: String
    /// The commit date, in milliseconds since 1970.
    public let date: Int64
    /// The first line of the message.
    public let subject: String
  }

  /// A rule that allows a call.
  public struct Rule: Sendable, Hashable {
    /// The name of the call.
    public let call: String
    /// The conditions on the arguments; empty if there are none.
    public let conditions: [String]
    /// The commit since which the rule has existed without interruption, or `nil` if the rule is not committed.
    public let commit: Commit?
    /// Whether the rule can be older, because an earlier version was not read, or is invalid.
    public let mayBeOlder: Bool
  }

  /// The rules, in the order of their calls.
  public let rules: [Rule]
  /// The commits that changed the document, newest first.
  public let commits: [Commit]
  /// Whether `commits` contains all commits that changed the document.
  public let isComplete: Bool

  /// Creates a history from that of the auditor.
  init(_ history: PolicyDocumentHistory) {
    rules = history.grants.map { grant, age in
      let (commit, mayBeOlder) = history.origin(of: age)
      return Rule(
        call: grant.call,
        conditions: grant.conditions.map(\.description),
        commit: commit.map(Commit.init),
        mayBeOlder: mayBeOlder
      )
    }
    commits = history.file.commits.map(Commit.init)
    isComplete = history.file.isComplete
  }
}

extension PolicyHistory.Commit {
  /// Creates a commit from that of the repository.
  fileprivate init(_ commit: GitFileHistory.Commit) {
    (id, date, subject) = (commit.id, commit.time, commit.subject)
  }
}

extension CapturePolicy {
  /// Finds the commit that introduced each rule of a policy document, as `darkroom policy history` does. The current shipped
  /// policies are used for all commits. Renames of the document are not followed.
  ///
  /// - Parameters:
  ///   - path: The path of a document in a Git repository.
  ///   - maximumCommits: The maximum number of commits that are read, from 1 to 10,000.
  ///
  /// - Returns: The commit of each rule.
  ///
  /// - Throws: `HostError.policy` if the document is invalid, or `HostError.argument` if it is not in a Git repository of this
  ///   user.
  public static func history(
    ofDocumentAt path: String,
    maximumCommits: Int = 500
  ) async throws(HostError) -> PolicyHistory {
    guard 1...10_000 ~= maximumCommits else {
      throw HostError(
        argument: "the maximum number of commits must be from 1 to 10000, not \(maximumCommits)"
      )
    }
    guard !shippedNames.contains(path) else {
      throw HostError(
        argument: "\(path) is a shipped policy and has no history; give the path of a policy document"
      )
    }
    return try await HostThread.run { () throws(HostError) in
      let policy = try CapturePolicy(path).resolved.policy
      do throws(GitFileHistory.Fault) {
        return PolicyHistory(try PolicyDocumentHistory(of: path, policy, limit: maximumCommits))
      } catch { throw HostError(argument: "\(path): \(error)") }
    }
  }
}
