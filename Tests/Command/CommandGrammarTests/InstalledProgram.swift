// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives

/// A program of this machine that judges what was generated: an oracle that is not the code under test.
struct InstalledProgram {
  /// Where it is.
  let path: String

  /// What a run of it came to.
  struct Result {
    /// How it ended.
    let status: ExitStatus
    /// What it printed, errors too.
    let output: String
  }

  /// Finds a program; if it is not installed, says so in the output, where the gate looks for it.
  init?(_ name: String) {
    for directory in ["/usr/bin", "/bin", "/usr/local/bin"] where access("\(directory)/\(name)", X_OK) == 0 {
      path = "\(directory)/\(name)"
      return
    }
    print("SKIP: \(name) is not installed, so it could not judge what was generated")
    return nil
  }

  /// Runs it with this input, in an empty environment.
  func run(_ arguments: [String], input: String) throws -> Result {
    let directory = "/tmp/darkroom-grammar-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory)
    defer { try? FileSystem.removeTree(directory) }
    try FileSystem.replaceContents("\(directory)/in", with: Array(input.utf8))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "\(directory)/in", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "\(directory)/out", O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let status = try spawn(arguments, &actions, home: directory)
    let output = try FileSystem.contents("\(directory)/out") ?? []
    return Result(status: status, output: String(decoding: output, as: UTF8.self))
  }

  /// Starts it and waits for its end.
  private func spawn(
    _ arguments: [String],
    _ actions: inout posix_spawn_file_actions_t,
    home: String
  ) throws -> ExitStatus {
    let variables = ["PATH=/usr/bin:/bin", "HOME=\(home)", "LC_ALL=C.UTF-8", "TERM=dumb"]
    var words = Self.pointers([path] + arguments)
    var environment = Self.pointers(variables)
    defer { for pointer in words + environment { free(pointer) } }
    var pid = pid_t(0)
    let code = posix_spawn(&pid, path, &actions, nil, &words, &environment)
    guard code == 0 else { throw SpawnFailure(path: path, code: code) }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, Errno.current == .interrupted {}
    return ExitStatus(waitStatus: status)
  }

  /// Copies of the words, with the null pointer that ends them; the caller frees them.
  private static func pointers(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
  }

  /// A program could not be started.
  struct SpawnFailure: Error {
    /// Which program.
    let path: String
    /// Why, as errno(3) names it.
    let code: Int32
  }
}
