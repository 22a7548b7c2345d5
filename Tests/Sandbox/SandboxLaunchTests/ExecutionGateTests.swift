// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import Synchronization
import TestSupport
import Testing

/// The barrier that delays an extension until its processes cannot access the session init.
@Suite struct ExecutionGateTests {
  /// ptrace(2), which Swift's Glibc module does not export.
  private typealias Trace = @convention(c) (Int, Int32, Int, Int) -> Int
  /// `PTRACE_SEIZE`, `PTRACE_DETACH`, `PTRACE_O_TRACEEXEC`.
  private static let (seize, detach, atExecution) = (0x4206, 17, 0x10)
  /// The wait status of a traced process that has executed a program: `SIGTRAP | PTRACE_EVENT_EXEC << 8`.
  private static let hasExecuted: Int32 = SIGTRAP | 4 << 8

  @Test func `the extension does not run before the session init has executed its program`() throws {
    try LaunchBrokerTests.withDirectory { content in
      let pipe = try Pipe.make()
      let plan = LaunchBrokerTests.plan("echo ran", content: content, output: pipe.writeEnd.rawValue)
      let broker = try LaunchBroker()
      for _ in 0..<50 { if broker.prepare(plan) { break } }
      let process = try #require(broker.waitingInit)
      let trace = unsafeBitCast(try #require(dlsym(nil, "ptrace")), to: Trace.self)
      try #require(trace(Self.seize, process, 0, Self.atExecution) == 0)
      let ended = Mutex<Result<LinuxPrimitives.ExitStatus, any Error>?>(nil)
      let thread = try PlainThread.start(name: "launch") {
        let result = Result { try broker.launch(plan).reap().status }
        ended.withLock { $0 = result }
      }
      var status: Int32 = 0
      // The init has executed its program and is stopped before its first instruction.
      #expect(waitpid(process, &status, 0) == process && status >> 8 == Self.hasExecuted)
      let read = pipe.readEnd.rawValue
      let found = try Poller.wait([(read, .readable)], until: MonotonicClock.now + 300_000_000)
      #expect(found[0].isEmpty, "the extension has run before its init")
      #expect(trace(Self.detach, process, 0, 0) == 0)
      thread.join()
      #expect(try ended.withLock { try $0?.get() } == .exited(0))
      let readEnd = pipe.takeReadEnd()
      #expect(try readEnd.readAll(limit: 10) == Array("ran\n".utf8))
      #expect(broker.uses == 1)
    }
  }
}
