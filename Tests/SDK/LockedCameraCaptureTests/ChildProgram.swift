// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

/// A child process of a test.
struct ChildProgram {
  private let processID: pid_t

  /// Starts a shell command. The descriptors in `inherited` become 3, 4 and so on.
  ///
  /// A shell is used because `LISTEN_PID` must contain the PID of the process itself.
  init(_ command: String, inherited: [Int32] = [], environment: [String] = []) throws {
    // Moves the descriptors to high numbers first, so that dup2(2) does not overwrite one that is still
    // needed.
    let moved = inherited.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
    defer { for descriptor in moved { close(descriptor) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (index, descriptor) in moved.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, 3 + Int32(index))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Waiting threads have all signals blocked. A shell that inherits this mask waits for its children
    // forever.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let path = ["PATH=/usr/local/bin:/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"]
    let arguments = Self.terminated(["/bin/sh", "-c", command])
    let variables = Self.terminated(path + environment)
    defer { for text in arguments + variables { free(text) } }
    var child = pid_t()
    let result = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, variables)
    try #require(result == 0)
    processID = child
  }

  private static func terminated(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Waits for the program to exit, and returns its exit code, or 128 plus the signal number.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(processID, &status, 0) != processID {}
    return ExitStatus(waitStatus: status).shellCode
  }

  /// Returns the path of a program of this package, which the build puts into the directory of the tests.
  static func path(_ name: String) throws -> String {
    "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/\(name)"
  }
}

/// A directory that is removed when its owner is released.
final class TemporaryDirectory: Sendable {
  let path = "/tmp/darkroom-test-\(Randomness.hexadecimal(bytes: 8))"

  init() throws { try FileSystem.makeDirectory(path) }

  deinit { try? FileSystem.removeTree(path) }

  /// Writes a file, and creates its parent directories.
  func write(_ text: String, to name: String) throws {
    try FileSystem.makeDirectories(FileSystem.directoryName("\(path)/\(name)"))
    try FileSystem.replaceContents("\(path)/\(name)", with: Array(text.utf8))
  }

  /// Returns the text of a file, or `nil` if the file does not exist.
  func text(_ name: String) throws -> String? {
    guard try FileSystem.status("\(path)/\(name)") != nil else { return nil }
    return try FileSystem.contents("\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }
}
