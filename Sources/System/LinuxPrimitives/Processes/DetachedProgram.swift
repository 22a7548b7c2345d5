// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A program that outlives the process that starts it. It runs in a new session and inherits no descriptors.
package struct DetachedProgram: Sendable {
  /// The path of the program.
  package var path: String
  /// The arguments, beginning with the program name.
  package var arguments: [String]
  /// The complete environment, as `NAME=VALUE`.
  package var environment: [String]
  /// The initial working directory.
  package var directory: String

  /// Creates a description of a program.
  package init(path: String, arguments: [String], environment: [String], directory: String) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
  }

  /// Starts the program (posix_spawn(3)).
  ///
  /// Standard input is empty, standard output and error are `output`, and no other descriptor is inherited.
  /// Signals have their default actions and are not blocked. The corresponding flag is `POSIX_SPAWN_SETSID`.
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
    FileLimit.restoreOriginal(to: process)
    return try .openChild(process, orKill: -process)
  }
}

extension ProcessHandle {
  /// Reaps the process when it exits, on a separate thread, and discards the exit status.
  package consuming func reapInBackground() throws(SystemCallError) {
    let raw = try descriptor.duplicate().release()
    _ = try PlainThread.start(name: "reaper") {
      _ = try? ProcessHandle(owning: Descriptor(owning: raw)).reap()
    }
  }
}
