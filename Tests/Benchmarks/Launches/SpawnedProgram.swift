// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives

/// A program without any sandbox (posix_spawn(3)): what every launch is compared with.
struct SpawnedProgram: LaunchedProgram {
  /// Its number; it is waited for once.
  private let processID: pid_t
  /// What it is, for messages.
  private let name: String

  /// Starts a program; `descriptors` are those of this process that it gets, by their numbers there.
  static func start(
    _ words: [String],
    environment: [String] = [],
    descriptors: [Int32: Int32] = [:]
  ) throws(SystemCallError) -> SpawnedProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, own) in descriptors { posix_spawn_file_actions_adddup2(&actions, own, number) }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var processID: pid_t = 0
    let result = posix_spawn(&processID, words[0], &actions, nil, &arguments, &variables)
    guard result == 0 else {
      throw SystemCallError("posix_spawn", path: words[0], errno: Errno(rawValue: result))
    }
    return SpawnedProgram(processID: processID, name: words[0])
  }

  /// Waits until it has ended.
  func exitStatus() throws(SystemCallError) -> ExitStatus {
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0 {
      if Errno.current != .interrupted { throw SystemCallError("waitpid") }
    }
    return ExitStatus(waitStatus: status)
  }

  /// Waits until it has ended, and sees that it did what it is there for.
  func finish() throws {
    let status = try exitStatus()
    guard status == .exited(0) else { throw BenchmarkError.wrongEnd(name, status) }
  }
}
