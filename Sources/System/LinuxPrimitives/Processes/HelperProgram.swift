// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A program that works for this process beside it, in a group of its own, with nothing that it was not given
/// (posix_spawn(3)).
package struct HelperProgram: ~Copyable, Sendable {
  /// Its process; readable once it has ended.
  package let handle: ProcessHandle
  /// Its number, which is its group's, too; valid until it is reaped.
  private let process: Int32

  private init(owning handle: consuming ProcessHandle, process: Int32) {
    self.handle = handle
    self.process = process
  }

  /// Starts a program with exactly this environment. Its standard input is `input`, its standard output goes nowhere,
  /// its standard error is `errors`: whose it is has to be said, for a process that works for others has none that is
  /// theirs. Every other descriptor is closed in it.
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
    FileLimit.giveBack(to: process)
    return HelperProgram(owning: try handle(of: process), process: process)
  }

  /// A group of its own, no signal blocked and none ignored: threads of ours have all blocked.
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

  /// The handle of a child that was just made; without one the child is ended, for nobody could wait for it.
  private static func handle(of process: Int32) throws(SystemCallError) -> ProcessHandle {
    do {
      return ProcessHandle(owning: Descriptor(owning: try check("pidfd_open") { pidfd_open(process, 0) }))
    } catch {
      CLinux.kill(-process, SIGKILL)
      waitpid(process, nil, 0)
      throw error
    }
  }

  /// Ends the program and everything that it has started, also what has left its group, as programs do that pam_exec(8)
  /// starts; leaves nothing of it.
  package consuming func kill() {
    handle.endDescendants(of: process)
    ProcessGroup.kill(process)
    try? handle.send(.kill)
    _ = try? handle.reap()
  }

  /// Waits for the end and gives it; what it has left behind in its group is ended.
  package consuming func end() throws(SystemCallError) -> ExitStatus {
    // Before it is reaped, so that the number is still its group's.
    _ = try Poller.wait([(handle.descriptor.rawValue, .readable)])
    ProcessGroup.kill(process)
    return try handle.reap()
  }
}
