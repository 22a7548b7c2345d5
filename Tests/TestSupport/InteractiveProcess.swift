// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import Testing

/// A child process that exchanges lines with the test and is killed with the last reference.
package final class InteractiveProcess {
  private let process: pid_t
  private let input: Int32
  private let output: UnsafeMutablePointer<FILE>

  /// Starts a program with pipes as standard input and output.
  package init(_ command: [String], environment: [String] = []) throws {
    var down: [Int32] = [-1, -1]
    var up: [Int32] = [-1, -1]
    try #require(pipe(&down) == 0 && pipe(&up) == 0)
    for end in [down[1], up[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, down[0], 0)
    posix_spawn_file_actions_adddup2(&actions, up[1], 1)
    for end in [down[0], up[1]] where end > 2 { posix_spawn_file_actions_addclose(&actions, end) }
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var attributes = try makeSpawnAttributes()
    defer { posix_spawnattr_destroy(&attributes) }
    var process = pid_t()
    try #require(posix_spawn(&process, command[0], &actions, &attributes, arguments, variables) == 0)
    close(down[0])
    close(up[1])
    self.process = process
    input = down[1]
    output = try #require(fdopen(up[0], "r"))
  }

  deinit { terminate() }

  private var isTerminated = false

  /// Kills the process and reaps it.
  package func terminate() {
    guard !isTerminated else { return }
    isTerminated = true
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    close(input)
    fclose(output)
  }

  /// Writes a line to the standard input of the process.
  package func sendLine(_ line: String) { _ = "\(line)\n".withCString { write(input, $0, strlen($0)) } }

  /// Returns the next line of the process's standard output, or `nil` at its end.
  package func readLine() -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    guard getline(&line, &size, output) > 0, let line else { return nil }
    return String(cString: line).split(separator: "\n").first.map(String.init) ?? ""
  }
}
