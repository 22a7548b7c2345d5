// SPDX-License-Identifier: Apache-2.0

internal import PolicyTrials

/// An attempt to escape from a sandbox.
public struct AttackAttempt: Sendable, Hashable {
  /// The classes of attempts.
  public static let classes: [String] = Attempt.categories

  /// The name of the attempt.
  public let name: String
  /// The class of the attempt, which is one of ``classes``.
  public let category: String
  /// A short description.
  public let summary: String
  /// The layers that are expected to block the attempt.
  public let expectedLayers: [String]
  /// Whether the attempt succeeds without a sandbox and does no harm there.
  public let isHarmlessOutside: Bool
}

/// The options of an attack.
public struct AttackOptions: Sendable, Hashable {
  /// The names of the attempts to make, or an empty list for all.
  public var names: [String] = []
  /// The classes of the attempts to make, or an empty list for all.
  public var classes: [String] = []
  /// Whether the harmless attempts are also made outside of the sandbox, to show that they succeed there.
  public var isProved: Bool = false
  /// The path of the program `darkroom-probe`, or `nil` to search for it next to this program and in
  /// `../libexec/darkroom`.
  public var probe: String?
  /// The directory in which the decoys are created and removed, or `nil` for the parent directory of the state
  /// directory.
  public var decoyDirectory: String?

  /// Creates the options for all attempts.
  public init() {}
}

/// The results of an attack on the sandbox of a policy.
public struct AttackReport: Sendable, Hashable {
  /// The verdict about an attempt.
  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    /// The attempt was refused, or found no target.
    case blocked
    /// The attempt achieved something that no sandboxed program may do.
    case gotThrough
    /// The attempt succeeded because a restricted session lacks every layer that blocks the attempt.
    case unprotected
    /// The attempt cannot be made on this machine.
    case untried
  }

  /// The name of the policy.
  public let policy: String
  /// The results, in the order of the attempts.
  public let results: [Result]
  /// The reason why the attempts were made in restricted sessions, or `nil` if the sandboxes had namespaces.
  public let restriction: String?

  /// Whether no attempt got through the sandbox.
  public var isIntact: Bool { count(of: .gotThrough) == 0 }

  /// Returns the number of attempts with a verdict.
  public func count(of verdict: Verdict) -> Int { results.count { $0.verdict == verdict } }

  /// The result of an attempt.
  public struct Result: Sendable, Hashable {
    /// The attempt.
    public let attempt: AttackAttempt
    /// The verdict.
    public let verdict: Verdict
    /// The layers that blocked the attempt, or an empty list if it was not blocked.
    public let layers: [String]
    /// The evidence for the layers: `report`, `signal`, `experiment`, `errno`, `expectation` or `deadline`; `nil` if
    /// the attempt was not blocked.
    public let evidence: String?
    /// The refused system calls that the kernel reported.
    public let calls: [String]
    /// The output of the attempt, or the reason why it could not be made.
    public let note: String
    /// The verdict of a run outside of the sandbox, or `nil` if there was none.
    public let outside: Verdict?
  }
}
