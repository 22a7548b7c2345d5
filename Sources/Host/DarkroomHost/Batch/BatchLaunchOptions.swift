// SPDX-License-Identifier: Apache-2.0

/// The options of a batch, which runs a program in a session of its own for each of many files.
public struct BatchLaunchOptions: Sendable {
  /// The name of the batch in the state directory: letters, digits, dots, hyphens and underscores, at most 200
  /// bytes. The name of a part's ledger has the suffix `.INDEX-of-COUNT`, whose bytes count. A run with the name of an
  /// earlier run continues it, and must have the same app and command.
  public var name: String
  /// The program and its app, policy and paths. `{}` in an argument is replaced by the path of the input.
  /// Without `{}`, the path is the last argument. A batch has no camera.
  public var program: ProgramLaunchOptions
  /// The paths of the inputs, in the order of their sessions. Each session sees its input at its own path,
  /// read-only. A relative path belongs to the working directory. A repeated path is one input.
  public var inputs: [String]
  /// The maximum number of sessions at a time, at least 1, or `nil` for the number of processors. Each session
  /// needs about twelve descriptors of the process (`RLIMIT_NOFILE` in getrlimit(2)).
  public var maximumSessions: Int?
  /// The part of the inputs that this process runs, or `nil` for all inputs. Each part has its own ledger, so that
  /// several processes can run the parts of one batch at the same time.
  public var shard: Shard?
  /// Whether inputs that failed in an earlier run are run again.
  public var retriesFailures = false
  /// Whether no further session is started after a failed input.
  public var stopsAtFailure = false

  /// One of several parts of the inputs. The input at position `p` belongs to the part with the index `p % count`, so all
  /// processes need the same inputs in the same order, and the same number of parts. Another number starts new ledgers.
  public struct Shard: Sendable, Hashable {
    /// The index of the part, from 0.
    public var index: Int
    /// The number of parts, at least 1.
    public var count: Int

    /// Describes a part.
    public init(_ index: Int, of count: Int) { (self.index, self.count) = (index, count) }
  }

  /// Describes a batch.
  public init(_ name: String, _ program: ProgramLaunchOptions, inputs: [String]) {
    (self.name, self.program, self.inputs) = (name, program, inputs)
  }
}

/// An event of a running batch.
public enum BatchProgress: Sendable {
  /// The session of an input starts.
  case started(input: String, session: String)
  /// The session of an input has ended, and its content is migrated.
  case finished(input: String, SessionResult)
  /// A message for the user.
  case notice(String)
}

/// The numbers of inputs of a batch after a run.
public struct BatchSummary: Sendable, Hashable {
  /// The number of all inputs.
  public let total: Int
  /// The number of inputs whose program exited with 0, in this run or an earlier one. They are never run again.
  public let done: Int
  /// The number of failed inputs. Inputs that failed in an earlier run and were not run again count, too. An input
  /// with a path that is not UTF-8 fails.
  public let failed: Int
  /// The number of inputs that the next run processes.
  public var remaining: Int { total - done - failed }
}
