// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A running command with its output files.
final class Command {
  /// The result of a command.
  struct Result {
    /// The exit code, or 128 plus the signal number.
    var code: Int32
    /// The standard output.
    var output: [UInt8]
    /// The standard error.
    var errors: String
    /// The standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// The PID of the command itself; there is no shell.
  let process: pid_t
  private let files: (output: String, errors: String)
  private var isReaped = false

  /// Starts a command. `files` is the path prefix of the output files.
  init(_ commandLine: [String], environment: [String], input: String, files: String, directory: String) throws
  {
    self.files = ("\(files).out", "\(files).err")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, self.files.output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, self.files.errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A separate process group, so that a failed test can kill all processes.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    // The tests may run under nohup(1) or in the background. A command would ignore the same signals.
    var reset = sigset_t()
    sigemptyset(&reset)
    for number in [SIGHUP, SIGINT, SIGQUIT] { sigaddset(&reset, number) }
    posix_spawnattr_setsigdefault(&attributes, &reset)
    let commandLine = ["/usr/bin/env", "--chdir", directory] + commandLine
    let arguments = commandLine.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    let error = posix_spawn(&process, commandLine[0], &actions, &attributes, arguments, variables)
    try #require(error == 0, "\(commandLine[0]) could not be started: \(error)")
    self.process = process
  }

  deinit {
    guard !isReaped else { return }
    kill(-process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Sends a signal to the command, not to its children.
  func signal(_ number: Int32) { kill(process, number) }

  /// Waits until a condition is met. Fails if the command exits first or after a timeout.
  func wait(until condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let isMet = try TestTimeout.waitUntil {
      if try condition() { return true }
      var status = siginfo_t()
      waitid(P_PID, id_t(process), &status, WEXITED | WNOHANG | WNOWAIT)
      try #require(
        status.si_signo == 0,
        "the command has ended: \(read(files.errors))",
        sourceLocation: sourceLocation
      )
      return false
    }
    #expect(isMet, "it never came to be", sourceLocation: sourceLocation)
  }

  /// Waits until the command exits. After the timeout, kills it and records an issue.
  func end(
    seconds: Int = TestTimeout.seconds,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result {
    var status: Int32 = 0
    var rounds = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      rounds += 1
      if rounds == seconds * 200 {
        Issue.record(
          "the command did not end by itself: \(read(files.errors))",
          sourceLocation: sourceLocation
        )
        kill(-process, SIGKILL)
      }
      usleep(5000)
    }
    isReaped = true
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    let output = try FileSystem.contents(files.output, limit: 1 << 26) ?? []
    return Result(code: code, output: output, errors: read(files.errors))
  }

  private func read(_ path: String) -> String {
    String(decoding: (try? FileSystem.contents(path, limit: 1 << 26)) ?? [], as: UTF8.self)
  }
}
