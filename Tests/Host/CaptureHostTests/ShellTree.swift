// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

/// A shell and its children in a separate process group, which is killed on deinitialization.
final class ShellTree {
  /// The PID of the shell.
  let process: pid_t
  private let output: Descriptor

  /// Starts a shell with the given descriptors from number 3 on, and waits for the first line of output.
  init(_ line: String, inheriting descriptors: [Int32] = []) throws {
    let pipe = try Pipe.make()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd.rawValue, 1)
    for (index, raw) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, raw, Int32(3 + index))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let arguments = (["/bin/bash", "-c", line] as [String]).map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    try #require(posix_spawn(&process, "/bin/bash", &actions, &attributes, arguments, environ) == 0)
    self.process = process
    let end = pipe.takeReadEnd()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
    defer { buffer.deallocate() }
    // Some programs write the newline separately.
    try #require(try end.read(into: buffer) != .end, "\(line)")
    output = end
  }

  deinit {
    kill(-process, SIGKILL)
    waitpid(process, nil, 0)
  }
}
