// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A helper process of this process, in a separate process group, with only the given descriptors and
/// environment (posix_spawn(3)).
package struct HelperProgram: ~Copyable, Sendable {
  /// The process. The handle is readable when the process has exited.
  package let handle: ProcessHandle
  /// The process ID, which is also the process group ID. It is valid until the process is reaped.
  private let process: Int32

  private init(owning handle: consuming ProcessHandle, process: Int32) {
    self.handle = handle
    self.process = process
  }

  /// Starts a program with exactly this environment.
  ///
  /// Standard input is `input`, standard output is `/dev/null`, and standard error is `errors`. The caller
  /// must choose standard error, because a server's own is not that of its client. Every other descriptor is
  /// closed.
  package static func start(
    _ path: String,
    _ arguments: [String],
    environment: [String],
    input: Int32,
    errors: Int32
  ) throws(SystemCallError) -> HelperProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(&attributes)
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let result = posix_spawn(&process, path, &actions, &attributes, words, variables)
    guard result == 0 else {
      throw SystemCallError("posix_spawn", path: path, errno: Errno(rawValue: result))
    }
    FileLimit.restoreOriginal(to: process)
    return HelperProgram(owning: try .openChild(process, orKill: -process), process: process)
  }

  /// Sets a new process group, an empty signal mask and default signal actions. Threads of this process block
  /// all signals.
  private static func setSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
    )
  }

  /// Kills the program and all its descendants, including those that left its process group, such as programs
  /// of pam_exec(8).
  package consuming func kill() {
    handle.killDescendants(of: process)
    ProcessGroup.kill(process)
    try? handle.send(.kill)
    _ = try? handle.reap()
  }

  /// Waits for the program to exit and returns its status. The remaining processes of its group are killed.
  package consuming func wait() throws(SystemCallError) -> ExitStatus {
    // Kill the group before the process is reaped, while the process group ID is still its own.
    _ = try Poller.wait([(handle.descriptor.rawValue, .readable)])
    ProcessGroup.kill(process)
    return try handle.reap()
  }
}
