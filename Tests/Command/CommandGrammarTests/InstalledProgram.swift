// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives

/// An installed program that validates generated files, as an independent oracle.
struct ExternalTool {
  /// The path of the program.
  let path: String

  /// The result of a run.
  struct Result {
    let status: ExitStatus
    /// The standard output and standard error.
    let output: String
  }

  /// Finds an installed program. If the program is missing, prints a SKIP line, which CI evaluates.
  init?(_ name: String) {
    for directory in ["/usr/bin", "/bin", "/usr/local/bin"] where access("\(directory)/\(name)", X_OK) == 0 {
      path = "\(directory)/\(name)"
      return
    }
    print("SKIP: \(name) is not installed, so it could not judge what was generated")
    return nil
  }

  /// Runs the program with the given input in a minimal environment.
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

  /// Starts the program and waits for its exit.
  private func spawn(
    _ arguments: [String],
    _ actions: inout posix_spawn_file_actions_t,
    home: String
  ) throws -> ExitStatus {
    let variables = ["PATH=/usr/bin:/bin", "HOME=\(home)", "LC_ALL=C.UTF-8", "TERM=dumb"]
    var words = Self.nullTerminatedCopies([path] + arguments)
    var environment = Self.nullTerminatedCopies(variables)
    defer { for pointer in words + environment { free(pointer) } }
    var pid = pid_t(0)
    let code = posix_spawn(&pid, path, &actions, nil, &words, &environment)
    guard code == 0 else { throw SpawnError(path: path, code: code) }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, Errno.current == .interrupted {}
    return ExitStatus(waitStatus: status)
  }

  /// Returns a null-terminated array of copies, which the caller must free.
  private static func nullTerminatedCopies(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
  }

  /// A failed posix_spawn(3).
  struct SpawnError: Error {
    /// The path of the program.
    let path: String
    /// The error number of errno(3).
    let code: Int32
  }
}
