// SPDX-License-Identifier: Apache-2.0

/// The options of learning a policy.
public struct LearningOptions: Sendable, Hashable {
  /// The number of runs, of which the recorded calls are combined.
  public var runs: Int = 1
  /// Whether all calls are recorded, to find the rules of the base policy that are never used. The program runs
  /// slowly then.
  public var recordsEveryCall: Bool = false
  /// Whether the proposal allows only the recorded calls, instead of the base policy and the recorded calls. All
  /// calls are recorded then.
  public var isMinimal: Bool = false
  /// Whether the program runs once more under the proposal, to test it.
  public var testsProposal: Bool = true
  /// Whether the calls of earlier runs are discarded.
  public var discardsEarlierRuns: Bool = false
  /// The path of the file in which the recorded calls are kept, or `nil` for a file of the program and the base
  /// policy in the state directory.
  public var stateFile: String?

  /// Creates the options for one run.
  public init() {}
}

/// The calls that a program needs and its policy refuses, and a proposed policy that allows them.
public struct LearnedPolicy: Sendable, Hashable {
  /// The proposed policy as a JSON document, or `nil` if the base policy suffices. No policy was changed.
  public let proposal: String?
  /// The report, as lines of text.
  public let lines: [String]
  /// The report as JSON, in the format of `darkroom policy learn --json`.
  public let reportJSON: String
  /// The number of all recorded runs.
  public let runs: Int
  /// The number of the last runs that have found no new call.
  public let stableRuns: Int
  /// The test of the proposal, or `nil` if there was none.
  public let trial: Trial?
  /// The exit code of the program in the last run.
  public let exitCode: Int32
  /// The path of the file in which the recorded calls are kept.
  public let stateFile: String

  /// A run of the program under the proposal, in the regular sandbox.
  public struct Trial: Sendable, Hashable {
    /// The outcome of the session, as text.
    public let outcome: String
    /// The refusals that a policy could avoid, one sentence each.
    public let refusals: [String]
    /// The refusals that no policy can avoid, one sentence each.
    public let unavoidableRefusals: [String]
    /// The reason why the proposal could not be tested, or `nil` if it was tested.
    public let obstacle: String?
  }
}
