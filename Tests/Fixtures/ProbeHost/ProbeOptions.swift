// SPDX-License-Identifier: Apache-2.0

/// The command line: `--root DIR --probe FILE [option]… NAME[=ARGUMENT]…`.
struct ProbeOptions: Sendable {
  /// The state root; it must be there, empty, and belong to the caller.
  var root = ""
  /// The probe.
  var probe = ""
  /// The name of a shipped policy, or the path of another.
  var policy = "capture"
  /// The protections that are taken out of the plan.
  var without: Set<Protection> = []
  /// A path of the host that is bound to `/exposed`, writable; Landlock knows nothing of it.
  var exposed: String?
  /// Where the host listens, instead of in the state root.
  var listen: String?
  /// Paths that the subject is shown, as by `--read-only` of `darkroom exec`.
  var readOnly: [String] = []
  /// How much memory the host holds, in MiB.
  var resident = 0
  /// How many descriptors the host has open besides, and how many more after the first attempt.
  var descriptors = 0
  /// How often each attempt is made.
  var times = 1
  /// Whether the host's memory can be dumped (prctl(2), `PR_SET_DUMPABLE`): 0 or 1; nil: as it is.
  var dumpable: Int?
  /// Where the launch happens.
  var thread = LaunchThread.plain
  /// Who launches.
  var launcher = Launcher.direct
  /// How far a launch gets.
  var course = Course.whole
  /// Whether the probe writes to the host's own standard output.
  var output = Output.collected
  /// Whether the sandbox has namespaces.
  var mode = Mode.namespaced
  /// The version of Landlock's interface that the plan uses at most; nil: the kernel's.
  var landlockABI: Int?
  /// The attempts.
  var attempts: [Attempt] = []

  /// One attempt.
  struct Attempt: Sendable {
    /// Its name.
    var name: String
    /// Its argument, with names in braces that the host replaces.
    var argument: String
  }

  /// The thread that launches.
  enum LaunchThread: String, Sendable {
    /// One of its own with all signals blocked.
    case plain
    /// One of the task pool.
    case task
  }

  /// What the sandbox is made of.
  enum Mode: String, Sendable {
    /// Everything.
    case namespaced
    /// What is left for a user who can make no namespace.
    case restricted
  }

  /// Who launches.
  enum Launcher: String, Sendable {
    /// The host itself.
    case direct
    /// A broker, which has prepared the session.
    case broker
    /// A host with a broker that never has anything ready. Its sessions have the network of a first one, so that both
    /// processes of each work beside each other.
    case beside
  }

  /// How far a launch gets.
  enum Course: String, Sendable {
    /// To the program.
    case whole
    /// To the control group, where it waits for ever.
    case held
  }

  /// Where the probe's standard output goes.
  enum Output: String, Sendable {
    /// Into the line that the host prints.
    case collected
    /// Straight to the host's.
    case passed
  }

  /// What is wrong with a command line.
  struct Misuse: Error {
    /// The word.
    var word: String
  }

  /// Reads the words.
  init(_ words: ArraySlice<String>) throws {
    var rest = words
    while let word = rest.popFirst() {
      if word.hasPrefix("--") {
        guard let value = rest.popFirst() else { throw Misuse(word: word) }
        try set(word, value)
      } else {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
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
      guard let protection = Protection(rawValue: value) else { throw Misuse(word: value) }
      without.insert(protection)
    case "--thread":
      guard let thread = LaunchThread(rawValue: value) else { throw Misuse(word: value) }
      self.thread = thread
    case "--launcher":
      guard let launcher = Launcher(rawValue: value) else { throw Misuse(word: value) }
      self.launcher = launcher
    case "--course":
      guard let course = Course(rawValue: value) else { throw Misuse(word: value) }
      self.course = course
    case "--landlock-abi": landlockABI = Int(value)
    case "--mode":
      guard let mode = Mode(rawValue: value) else { throw Misuse(word: value) }
      self.mode = mode
    case "--output":
      guard let output = Output(rawValue: value) else { throw Misuse(word: value) }
      self.output = output
    default: throw Misuse(word: option)
    }
  }
}
