// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

@Suite struct ProcessFactsTests {
  /// Runs a check while a thread has another name; `place` is `self` for the main thread, or `thread-self`.
  private func withName(_ name: String, of place: String, _ body: () throws -> Void) throws {
    let file = "/proc/\(place)/comm"
    let before = try #require(try FileSystem.open(file, .read).readAll(limit: 64)).dropLast()
    func rename(_ name: [UInt8]) {
      let comm = open(file, O_WRONLY)
      write(comm, name, name.count)
      close(comm)
    }
    defer { rename(Array(before)) }
    rename(Array(name.utf8))
    let status = try FileSystem.open("/proc/\(place)/status", .read).readAll(limit: 1 << 16)
    // The test is meaningless unless the status contains the name.
    let shown = name.drop { $0 == "\n" }
    try #require(String(decoding: status ?? [], as: UTF8.self).contains(shown))
    try body()
  }

  @Test func `a thread name cannot fake a tracer`() throws {
    try withName("\nTracerPid:\t9", of: "thread-self") {
      guard let facts = ProcessFacts(getpid()) else {
        Issue.record("/proc has no facts about this process")
        return
      }
      let tracing = facts.tracing
      #expect(tracing?.isStopped == false)
      #expect(tracing?.tracer == nil)
    }
  }

  /// Recovery kills remaining processes of a user, unless they have exited.
  @Test func `a process name cannot hide a process from recovery`() throws {
    for line in ["Uid:\t7777", "State:\tZ"] {
      for name in [line, "\n\(line)"] {
        try withName(name, of: "self") {
          let standing = ProcessFacts(getpid())?.identity
          #expect(standing?.user == getuid(), "\(name)")
        }
      }
    }
  }

  @Test func `reports the parent of a process and of its threads`() throws {
    let words = ["sleep", "100"]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    try #require(posix_spawn(&child, "/usr/bin/sleep", nil, nil, &arguments, environ) == 0)
    let parent = ProcessFacts(child)?.parent
    #expect(parent == getpid())
    let own = ProcessFacts(getpid())?.parent
    #expect(own == getppid())
    let threads = ProcessFacts(getpid())?.threads ?? []
    #expect(threads.count > 1 && threads.contains { ProcessFacts($0)?.parent == getppid() })
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
    let gone = ProcessFacts(child)?.parent
    #expect(gone != getpid())
  }
}
