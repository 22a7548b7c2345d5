// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization
import Testing

@testable import UserAuthentication

@Suite struct AttemptRecordTests {
  @Test
  func
    `delays attempts after five failures by 30 seconds, doubling up to 15 minutes`()
  {
    let waits = (0...12).map { AttemptRecord.wait(after: $0) }
    #expect(waits == [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
    #expect(AttemptRecord.wait(after: .max) == 900)
  }

  @Test func `the delay expires and a reboot does not shorten it`() {
    let second: UInt64 = 1_000_000_000
    let record = AttemptRecord(failures: 6, last: 1000 * second, boot: "one")
    #expect(record.secondsLeft(now: 1000 * second, boot: "one") == 60)
    #expect(record.secondsLeft(now: 1059 * second, boot: "one") == 1)
    #expect(record.secondsLeft(now: 1060 * second, boot: "one") == 0)
    #expect(record.secondsLeft(now: 5 * second, boot: "two") == 55)
    #expect(record.secondsLeft(now: 900 * second, boot: "one") == 60, "a clock that went back waits again")
  }
}

@Suite(.timeLimit(.minutes(20))) struct AttemptLimiterTests {
  private let harness: AuthenticationHarness

  init() throws { harness = try AuthenticationHarness() }

  @Test func `rejects even a correct answer after five failures until the delay is over`() throws {
    let no = try harness.script("exit 1")
    for _ in 0..<5 { #expect(try harness.attempt(.command([no], variables: [])) == .failed) }
    let yes = try harness.script("touch '\(harness.directory)/asked'; exit 0")
    #expect(try harness.attempt(.command([yes], variables: [])) == .tooManyAttempts)
    #expect(try FileSystem.status("\(harness.directory)/asked") == nil, "the command must not run")
    var limiter = AttemptLimiter(paths: harness.paths)
    limiter.clock = { MonotonicClock.sinceBoot + 31_000_000_000 }
    #expect(try limiter.secondsToWait() == 0)
    #expect(try limiter.charge())
    #expect(try !limiter.charge(), "one attempt, then the next wait")
  }

  @Test func `a success resets the failure count`() throws {
    let no = try harness.script("exit 1")
    for _ in 0..<4 { _ = try harness.attempt(.command([no], variables: [])) }
    #expect(try harness.failures() == 4)
    let yes = try harness.script("exit 0")
    #expect(try harness.attempt(.command([yes], variables: [])) == .succeeded)
    #expect(try harness.failures() == 0)
  }

  @Test func `counts an attempt before it is decided`() throws {
    let asks = try harness.script("cp '\(harness.paths.attemptsFile)' '\(harness.directory)/seen'; exit 0")
    #expect(try harness.attempt(.command([asks], variables: [])) == .succeeded)
    let seen = String(decoding: try FileSystem.contents("\(harness.directory)/seen") ?? [], as: UTF8.self)
    #expect(seen.contains("\"failures\": 1"))
  }

  @Test func `allows five of many concurrent attempts`() throws {
    let admittedCount = Mutex(0)
    let paths = harness.paths
    var threads = ThreadGroup()
    for _ in 0..<12 {
      try threads.start {
        if (try? AttemptLimiter(paths: paths).charge()) == true { admittedCount.withLock { $0 += 1 } }
      }
    }
    threads.join()
    #expect(admittedCount.withLock { $0 } == 5)
    #expect(try harness.failures() == 5)
  }

  @Test(arguments: ["", "{}", #"{"version":1,"failures":-1,"boot":"","lastNanoseconds":0}"#])
  func `a damaged failure count makes authentication unavailable`(text: String) throws {
    try harness.paths.prepare()
    try harness.write("lock/attempts.json", text)
    let yes = try harness.script("exit 0")
    guard case .unavailable(let reason) = try harness.attempt(.command([yes], variables: [])) else {
      Issue.record("it was decided")
      return
    }
    #expect(reason.contains("attempts.json"))
  }
}

/// Threads that are joined together.
private struct ThreadGroup: ~Copyable {
  private let runningCount = RunningCount()

  /// Starts a thread.
  mutating func start(_ body: @escaping @Sendable () -> Void) throws {
    let runningCount = runningCount
    runningCount.count.withLock { $0 += 1 }
    _ = try PlainThread.start(name: "test") {
      body()
      runningCount.count.withLock { $0 -= 1 }
    }
  }

  /// Waits for all threads.
  consuming func join() {
    while runningCount.count.withLock({ $0 }) > 0 { MonotonicClock.sleep(milliseconds: 1) }
  }

  /// The number of running threads.
  private final class RunningCount: Sendable {
    let count = Mutex(0)
  }
}
