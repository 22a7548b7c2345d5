// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A program that outlives whoever starts it: in a session of its own, with nothing of this process in its hands.
package struct DetachedProgram: Sendable {
  /// The program.
  package var path: String
  /// Its arguments, with its name first.
  package var arguments: [String]
  /// Its whole environment, as `NAME=VALUE`.
  package var environment: [String]
  /// The directory that it begins in.
  package var directory: String

  /// Describes a program.
  package init(path: String, arguments: [String], environment: [String], directory: String) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  /// Starts it (posix_spawn(3)): standard input is empty, output and error go to `output`, no other descriptor is
  /// inherited, every signal has its default effect and none is blocked. The corresponding flag is
  /// `POSIX_SPAWN_SETSID`.
  package func start(output: borrowing Descriptor) throws(SystemCallError) -> ProcessHandle {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output.rawValue, 1)
    posix_spawn_file_actions_adddup2(&actions, output.rawValue, 2)
    posix_spawn_file_actions_addchdir_np(&actions, directory)
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSID)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let result = posix_spawn(&process, path, &actions, &attributes, words, variables)
    guard result == 0 else {
      throw SystemCallError("posix_spawn", path: path, errno: Errno(rawValue: result))
    }
    FileLimit.giveBack(to: process)
    return ProcessHandle(owning: Descriptor(owning: try check("pidfd_open") { pidfd_open(process, 0) }))
  }
}

extension ProcessHandle {
  /// Takes the status whenever the process ends, and forgets it: a child whose end interests nobody leaves nothing.
  package consuming func reapInBackground() throws(SystemCallError) {
    let raw = try descriptor.duplicate().release()
    _ = try PlainThread.start(name: "reaper") {
      _ = try? ProcessHandle(owning: Descriptor(owning: raw)).reap()
    }
  }
}
