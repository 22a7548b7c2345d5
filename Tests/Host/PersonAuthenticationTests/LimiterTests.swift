// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Synchronization
import Testing

@testable import PersonAuthentication

@Suite struct AttemptRecordTests {
  @Test
  func
    `after five failures one waits half a minute, then twice as long each time, up to a quarter of an hour`()
  {
    let waits = (0...12).map { AttemptRecord.wait(after: $0) }
    #expect(waits == [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
    #expect(AttemptRecord.wait(after: .max) == 900)
  }

  @Test func `the wait ends by itself, and a restart of the machine does not shorten it`() {
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
  private let bench: AuthenticationBench

  init() throws { bench = try AuthenticationBench() }

  @Test func `after five failures even the right answer is refused, until the wait is over`() throws {
    let no = try bench.script("exit 1")
    for _ in 0..<5 { #expect(try bench.attempt(.command([no], variables: [])) == .failed) }
    let yes = try bench.script("touch '\(bench.directory)/asked'; exit 0")
    #expect(try bench.attempt(.command([yes], variables: [])) == .tooManyAttempts)
    #expect(try FileSystem.status("\(bench.directory)/asked") == nil, "nobody is asked")
    var limiter = AttemptLimiter(places: bench.places)
    limiter.clock = { MonotonicClock.sinceBoot + 31_000_000_000 }
    #expect(try limiter.secondsToWait() == 0)
    #expect(try limiter.charge())
    #expect(try !limiter.charge(), "one attempt, then the next wait")
  }

  @Test func `a success forgets the failures`() throws {
    let no = try bench.script("exit 1")
    for _ in 0..<4 { _ = try bench.attempt(.command([no], variables: [])) }
    #expect(try bench.failures() == 4)
    let yes = try bench.script("exit 0")
    #expect(try bench.attempt(.command([yes], variables: [])) == .succeeded)
    #expect(try bench.failures() == 0)
  }

  @Test func `an attempt is counted before it is decided`() throws {
    let asks = try bench.script("cp '\(bench.places.attemptsFile)' '\(bench.directory)/seen'; exit 0")
    #expect(try bench.attempt(.command([asks], variables: [])) == .succeeded)
    let seen = String(decoding: try FileSystem.contents("\(bench.directory)/seen") ?? [], as: UTF8.self)
    #expect(seen.contains("\"failures\": 1"))
  }

  @Test func `of many at the same time five get through`() throws {
    let through = Mutex(0)
    let places = bench.places
    var threads = PlainThreads()
    for _ in 0..<12 {
      try threads.start {
        if (try? AttemptLimiter(places: places).charge()) == true { through.withLock { $0 += 1 } }
      }
    }
    threads.join()
    #expect(through.withLock { $0 } == 5)
    #expect(try bench.failures() == 5)
  }

  @Test(arguments: ["", "{}", #"{"version":1,"failures":-1,"boot":"","lastNanoseconds":0}"#])
  func `a damaged count is no way in`(text: String) throws {
    try bench.places.prepare()
    try bench.write("lock/attempts.json", text)
    let yes = try bench.script("exit 0")
    guard case .unavailable(let reason) = try bench.attempt(.command([yes], variables: [])) else {
      Issue.record("it was decided")
      return
    }
    #expect(reason.contains("attempts.json"))
  }
}

/// Threads that are joined together.
private struct PlainThreads: ~Copyable {
  private let finished = Finished()

  /// Starts a thread.
  mutating func start(_ body: @escaping @Sendable () -> Void) throws {
    let finished = finished
    finished.count.withLock { $0 += 1 }
    _ = try PlainThread.start(name: "test") {
      body()
      finished.count.withLock { $0 -= 1 }
    }
  }

  /// Waits for all threads.
  consuming func join() {
    while finished.count.withLock({ $0 }) > 0 { MonotonicClock.sleep(milliseconds: 1) }
  }

  /// The number of running threads.
  private final class Finished: Sendable {
    let count = Mutex(0)
  }
}
