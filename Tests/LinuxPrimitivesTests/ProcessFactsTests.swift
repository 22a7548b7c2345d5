// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

@Suite struct ProcessFactsTests {
  @Test func `a thread cannot say by its name that it is traced`() throws {
    let file = "/proc/thread-self/comm"
    let before = try #require(try FileSystem.open(file, .read).readAll(limit: 64)).dropLast()
    func rename(_ name: [UInt8]) {
      let comm = open(file, O_WRONLY)
      write(comm, name, name.count)
      close(comm)
    }
    defer { rename(Array(before)) }
    rename(Array("\nTracerPid:\t9".utf8))
    let status = try FileSystem.open("/proc/thread-self/status", .read).readAll(limit: 1 << 16)
    // It stands there, or this would show nothing.
    try #require(String(decoding: status ?? [], as: UTF8.self).contains("nTracerPid:\t9"))
    guard let facts = ProcessFacts(getpid()) else {
      Issue.record("this process should be there")
      return
    }
    let tracing = facts.tracing
    #expect(tracing?.isStopped == false)
    #expect(tracing?.tracer == nil)
  }
}
