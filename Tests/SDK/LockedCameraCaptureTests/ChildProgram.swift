// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

/// A program that a test has started.
struct ChildProgram {
  private let process: pid_t

  /// Starts a shell command; `inherited` become the descriptors from 3, in their order.
  ///
  /// A shell, because only the process itself knows the number that `LISTEN_PID` has to have.
  init(_ command: String, inherited: [Int32] = [], environment: [String] = []) throws {
    // Out of the way first: one that is at 4 must not be overwritten before it has been moved to 5.
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
    // Threads that wait have all signals blocked, and a shell that inherits that waits for its children for ever.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let path = ["PATH=/usr/local/bin:/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no"]
    let words = Self.terminated(["/bin/sh", "-c", command])
    let variables = Self.terminated(path + environment)
    defer { for text in words + variables { free(text) } }
    var number = pid_t()
    let result = posix_spawn(&number, "/bin/sh", &actions, &attributes, words, variables)
    try #require(result == 0)
    process = number
  }

  private static func terminated(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Waits for the program's end and gives its exit code, or 128 and the number of the signal.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) != process {}
    return ExitStatus(waitStatus: status).shellCode
  }

  /// The path of a program of this package: they are beside the tests.
  static func path(_ name: String) throws -> String {
    "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/\(name)"
  }
}

/// A directory that goes with the test.
final class TemporaryDirectory: Sendable {
  /// Where it is.
  let path = "/tmp/darkroom-test-\(Randomness.hexadecimal(bytes: 8))"

  init() throws { try FileSystem.makeDirectory(path) }

  deinit { try? FileSystem.removeTree(path) }

  /// Writes a file, and the directories it is in.
  func write(_ text: String, to name: String) throws {
    try FileSystem.makeDirectories(FileSystem.directoryName("\(path)/\(name)"))
    try FileSystem.replaceContents("\(path)/\(name)", with: Array(text.utf8))
  }

  /// The text of a file, or nil if there is none.
  func text(_ name: String) throws -> String? {
    guard try FileSystem.status("\(path)/\(name)") != nil else { return nil }
    return try FileSystem.contents("\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }
}
