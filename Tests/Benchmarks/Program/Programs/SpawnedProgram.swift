// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives

/// A program without a sandbox (posix_spawn(3)), the baseline of every launch.
struct SpawnedProgram: LaunchedProgram {
  /// The PID; the process must be reaped once.
  let processID: Int32

  /// Starts a program. `descriptors` maps descriptor numbers of the program to descriptors of this process.
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
    return SpawnedProgram(processID: processID)
  }

  /// Sends a signal to the process.
  func send(_ signal: Signal) { Glibc.kill(processID, signal.rawValue) }

  func kill() { send(.kill) }

  func reap() throws -> ExitStatus {
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0 {
      if Errno.current != .interrupted { throw SystemCallError("waitpid") }
    }
    return ExitStatus(waitStatus: status)
  }

  /// Runs a program found by `PATH`. Returns its output, or `nil` if it failed.
  static func output(_ words: [String]) throws -> String? {
    let path = CurrentProcess.environment("PATH") ?? "/usr/bin:/bin"
    let pipe = try Pipe.make()
    let null = try FileSystem.open("/dev/null", .readWrite)
    let program = try start(
      ["/usr/bin/env"] + words,
      environment: ["PATH=\(path)", "HOME=\(CurrentProcess.environment("HOME") ?? "/")"],
      descriptors: [0: null.rawValue, 1: pipe.writeEnd.rawValue, 2: null.rawValue]
    )
    let output = pipe.takeReadEnd()
    let text = try output.readAll(limit: 1 << 20) ?? []
    guard try program.reap() == .exited(0) else { return nil }
    return String(decoding: text, as: UTF8.self)
  }
}
