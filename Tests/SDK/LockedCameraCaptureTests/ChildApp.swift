// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// An app in a separate process, which is killed when this object is released.
final class ChildApp {
  private let processID: pid_t
  private let output: Descriptor
  private var pending: [UInt8] = []
  private var isReaped = false

  /// Starts the fixture with these arguments.
  init(_ words: [String], environment: [String] = []) throws {
    let pipe = try Pipe.make()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd.rawValue, 1)
    let path = try ChildProgram.path("darkroom-app-fixture")
    let arguments = ([path] + words).map { strdup($0) } + [nil]
    let variables = (["SWIFT_BACKTRACE=enable=no"] + environment).map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child = pid_t()
    try #require(posix_spawn(&child, path, &actions, nil, arguments, variables) == 0)
    processID = child
    output = pipe.takeReadEnd()
  }

  deinit {
    guard !isReaped else { return }
    kill(processID, SIGKILL)
    _ = wait()
  }

  func send(_ signal: Int32) throws { try #require(kill(processID, signal) == 0) }

  /// Returns the next line of the standard output.
  func line() throws -> String {
    let deadline = TestTimeout.deadline
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      let ready = try Poller.wait([(output.rawValue, .readable)], until: deadline)
      try #require(!ready[0].isEmpty, "no line came")
      guard case .bytes(let count) = try output.read(into: buffer) else {
        throw FakeHostError(description: "the app has ended")
      }
      pending += buffer[..<count]
    }
  }

  /// Whether a line, or the end of the output, can be read.
  func hasOutput() throws -> Bool {
    try pending.contains(0x0A) || !Poller.wait([(output.rawValue, .readable)], until: 0)[0].isEmpty
  }

  /// Waits for the app to exit, and returns its exit code, or 128 plus the signal number.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(processID, &status, 0) != processID {}
    isReaped = true
    return ExitStatus(waitStatus: status).shellCode
  }
}
