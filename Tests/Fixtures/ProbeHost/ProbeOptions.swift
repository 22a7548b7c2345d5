// SPDX-License-Identifier: Apache-2.0

/// The command line: `--root DIR --probe FILE [option]… NAME[=ARGUMENT]…`.
struct ProbeOptions: Sendable {
  /// The state root: an existing, empty directory of the caller.
  var root = ""
  /// The path of the probe.
  var probe = ""
  /// The name of a shipped policy, or the path of another policy.
  var policy = "capture"
  /// The protections that are removed from the plan.
  var without: Set<Protection> = []
  /// A host path that is bound writable to `/exposed`, without a Landlock rule.
  var exposed: String?
  /// The path of the listener, if not in the state root.
  var listen: String?
  /// The read-only paths, like `--read-only` of `darkroom exec`.
  var readOnly: [String] = []
  /// The resident memory of the host, in MiB.
  var resident = 0
  /// The number of additional descriptors that the host opens at the start and again after the first attempt.
  var descriptors = 0
  /// The number of times that each attempt is made.
  var times = 1
  /// The dumpable flag of the host (prctl(2), `PR_SET_DUMPABLE`), or `nil` to keep the default.
  var dumpable: Int?
  /// The kind of thread that launches.
  var thread = LaunchThread.plain
  var launcher = Launcher.direct
  /// The point that a launch reaches.
  var extent = Extent.whole
  /// The destination of the probe's standard output.
  var output = Output.collected
  /// Whether the sandbox has namespaces.
  var mode = Mode.namespaced
  /// The highest Landlock ABI that the plan may use, or `nil` for the kernel's.
  var landlockABI: Int?
  var attempts: [Attempt] = []

  /// One attempt.
  struct Attempt: Sendable {
    /// The name of the attempt.
    var name: String
    /// The argument, with names in braces that the host replaces.
    var argument: String
  }

  /// The kind of thread that launches.
  enum LaunchThread: String, Sendable {
    /// A separate thread with all signals blocked.
    case plain
    /// A thread of the task pool.
    case task
  }

  /// The composition of the sandbox.
  enum Mode: String, Sendable {
    /// A sandbox with all layers.
    case namespaced
    /// A sandbox for users who cannot create namespaces.
    case restricted
  }

  /// The launcher of sessions.
  enum Launcher: String, Sendable {
    /// The host itself.
    case direct
    /// A broker that has prepared the session.
    case broker
    /// A host with a broker that never has a prepared session. Its sessions reuse the network of a first
    /// session, so that both processes of a session run concurrently.
    case reusedNetwork = "beside"
  }

  /// The point that a launch reaches.
  enum Extent: String, Sendable {
    /// The launch executes the program.
    case whole
    /// The launch blocks forever at the control group.
    case held
  }

  /// The destination of the probe's standard output.
  enum Output: String, Sendable {
    /// The output is part of the line that the host prints.
    case collected
    /// The output goes directly to the host's standard output.
    case passed
  }

  /// An invalid command line.
  struct UsageError: Error {
    /// The invalid argument.
    var token: String
  }

  /// Parses the arguments.
  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let token = rest.popFirst() {
      if token.hasPrefix("--") {
        guard let value = rest.popFirst() else { throw UsageError(token: token) }
        try set(token, value)
      } else {
        let parts = token.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
          String.init
        )
        attempts.append(Attempt(name: parts[0], argument: parts.count > 1 ? parts[1] : ""))
      }
    }
  }

  private mutating func set(_ option: String, _ value: String) throws {
    switch option {
    case "--root": root = value
    case "--probe": probe = value
    case "--policy": policy = value
    case "--expose": exposed = value
    case "--listen": listen = value
    case "--read-only": readOnly.append(value)
    case "--resident": resident = Int(value) ?? 0
    case "--descriptors": descriptors = Int(value) ?? 0
    case "--times": times = Int(value) ?? 1
    case "--dumpable": dumpable = Int(value)
    case "--without":
      guard let protection = Protection(rawValue: value) else { throw UsageError(token: value) }
      without.insert(protection)
    case "--thread":
      guard let thread = LaunchThread(rawValue: value) else { throw UsageError(token: value) }
      self.thread = thread
    case "--launcher":
      guard let launcher = Launcher(rawValue: value) else { throw UsageError(token: value) }
      self.launcher = launcher
    case "--course":
      guard let course = Extent(rawValue: value) else { throw UsageError(token: value) }
      self.extent = course
    case "--landlock-abi": landlockABI = Int(value)
    case "--mode":
      guard let mode = Mode(rawValue: value) else { throw UsageError(token: value) }
      self.mode = mode
    case "--output":
      guard let output = Output(rawValue: value) else { throw UsageError(token: value) }
      self.output = output
    default: throw UsageError(token: option)
    }
  }
}
