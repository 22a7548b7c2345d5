// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

/// A directory that a user can access, with the probe, the host that launches it, and a state root.
final class ProbeHarness {
  /// The result of one attempt.
  struct Result {
    /// The name of the attempt.
    var name: String
    /// The verdict: `succeeded`, `refused`, `untried`, `exited` with a code, or a signal.
    var verdict: String
    /// The output of the probe.
    var text: String
  }

  /// The processors of the launching host.
  enum Processors {
    /// All processors of the tests.
    case all
    /// One processor.
    case one
  }

  /// The user that launches.
  let user: ProbeUser
  /// The command prefix that pins the processor and removes a capability.
  private let commandPrefix: String
  /// The directory, which all users may enter.
  let directory: String

  /// Creates a directory with hard links to the programs. If `capability` is given, root runs without it.
  init(_ user: ProbeUser, processors: Processors = .all, missing capability: String? = nil) throws {
    self.user = user
    commandPrefix =
      try (processors == .one ? Self.onOneProcessor() : "")
      + (capability.map { "setpriv --bounding-set=-\($0) " } ?? "")
    let programs = try Self.programs.get()
    directory = try Self.makeDirectory()
    for program in Self.names {
      let isLinked = link("\(programs)/\(program)", "\(directory)/\(program)") == 0
      try #require(isLinked, "a program could not be linked")
    }
    try makeUserDirectory("root")
  }

  /// The programs in a directory.
  private static let names = ["darkroom-probe", "darkroom-probe-host"]

  /// The directory with copies of the programs for all instances. The build directory may be accessible only
  /// to its owner.
  private static let programs: Swift.Result<String, any Error> = .init {
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    let directory = try makeDirectory()
    atexit {
      if case .success(let directory) = ProbeHarness.programs { try? FileSystem.removeTree(directory) }
    }
    for program in names {
      try #require(system("cp '\(built)/\(program)' '\(directory)/\(program)'") == 0)
      chmod("\(directory)/\(program)", 0o755)
    }
    return directory
  }

  /// Creates a directory outside /tmp and /var/tmp, because a session has its own and cannot be shown files
  /// in the host's.
  private static func makeDirectory() throws -> String {
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    let parent = geteuid() == 0 ? "/var/lib" : built
    let directory = "\(parent)/darkroom-probe-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory, mode: 0o755)
    chmod(directory, 0o755)
    return directory
  }

  /// Returns a command prefix that pins a command to the first processor of this thread.
  private static func onOneProcessor() throws -> String {
    let set = try #require(ThreadContext.processors)
    let byte = try #require(set.firstIndex { $0 != 0 })
    return "taskset --cpu-list \(byte * 8 + set[byte].trailingZeroBitCount) "
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Creates a directory of the user and returns its path.
  @discardableResult func makeUserDirectory(_ name: String, mode: UInt32 = 0o755) throws -> String {
    let path = "\(directory)/\(name)"
    try FileSystem.makeDirectory(path, mode: mode)
    chmod(path, mode)
    chown(path, user.identifier, user.identifier)
    return path
  }

  /// Returns the command that makes attempts. With `ownMounts`, it has a separate mount namespace, which
  /// mounts of concurrent tests do not change. Tests of unprivileged users mount nothing.
  func command(
    _ attempts: [String],
    policy: String = "capture",
    without: [String] = [],
    options: [String] = [],
    ownMounts: Bool = false
  ) -> String {
    let words =
      ["\(directory)/darkroom-probe-host", "--root", "\(directory)/root"]
      + ["--probe", "\(directory)/darkroom-probe", "--policy", policy]
      + without.flatMap { ["--without", $0] } + options + attempts
    let mounts = ownMounts && geteuid() == 0 ? "unshare --mount " : ""
    return mounts + commandPrefix + user.commandPrefix + "timeout -k 1 600 "
      + words.map { "'\($0)'" }.joined(separator: " ")
  }

  /// Makes attempts in separate sandboxes and returns their results in the same order.
  func attempt(
    _ attempts: [String],
    policy: String = "capture",
    without: [String] = [],
    options: [String] = [],
    ownMounts: Bool = false
  ) throws -> [Result] {
    let lines = try output(
      command(attempts, policy: policy, without: without, options: options, ownMounts: ownMounts)
    )
    let results = lines.map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Result(name: parts[0], verdict: parts.count > 1 ? parts[1] : "", text: parts.last ?? "")
    }
    try #require(results.count >= attempts.count, "\(lines)")
    return results
  }

  /// Returns the lines that a command prints.
  func output(_ command: String) throws -> [String] {
    let stream = try #require(popen(command + " 2>&1 </dev/null", "r"))
    var text: [UInt8] = []
    while case let next = fgetc(stream), next != EOF { text.append(UInt8(next)) }
    pclose(stream)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// An attempt and the protections that must be removed for it to succeed.
struct Attempt: Sendable {
  /// The name, followed by an equals sign and the argument if there is one.
  var name: String
  /// The protections, as names of the host's `--without`, or empty if no removable protection refuses the
  /// attempt.
  var behind: [String]

  init(_ name: String, behind: String...) {
    self.name = name
    self.behind = behind
  }
}

/// Expects that the complete sandbox refuses every attempt, and that each succeeds without its protections.
func expectProtected(
  _ attempts: [Attempt],
  user: ProbeUser,
  policy: String = "capture",
  options: (ProbeHarness) throws -> [String] = { _ in [] }
) throws {
  let bench = try ProbeHarness(user)
  let options = try options(bench)
  for result in try bench.attempt(attempts.map(\.name), policy: policy, options: options) {
    #expect(result.verdict == "refused", "\(result.name) as \(user): \(result.text)")
  }
  for (behind, group) in Dictionary(grouping: attempts.filter { !$0.behind.isEmpty }, by: \.behind) {
    let results = try bench.attempt(group.map(\.name), policy: policy, without: behind, options: options)
    for result in results {
      #expect(
        result.verdict == "succeeded",
        "\(result.name) as \(user) without \(behind): \(result.verdict) \(result.text)"
      )
    }
  }
}
