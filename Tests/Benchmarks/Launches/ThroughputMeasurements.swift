// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives
import Synchronization

/// How many launches a second there are, to reaped, with one thread that launches and with eight.
enum ThroughputMeasurements: MeasurementGroup {
  static let name = "throughput"
  private static let rounds = 5

  static func run(_ setting: Setting) throws -> [Section] {
    try [1, 8].map { try section(setting, threads: $0) }
  }

  private static func section(_ setting: Setting, threads: Int) throws -> Section {
    let null = try FileSystem.open("/dev/null", .readWrite).release()
    defer { _ = Descriptor(owning: null) }
    let planner = LaunchPlanner(stateRoot: setting.root)
    let subject = try setting.subject(policy: "capture")
    let session = setting.session(input: null, output: null)
    let payload = setting.payload
    var series = [Series("posix_spawn", .perSecond), Series("darkroom, capture", .perSecond)]
    let launches: [@Sendable () throws -> Void] = [
      { try SpawnedProgram.start([payload], descriptors: [1: null]).finish() },
      { try SandboxedProgram(planner, subject, session).finish() },
    ]
    let perThread = max(1, setting.runs / threads)
    try interleave(
      rounds: rounds,
      launches.indices.map { index in
        {
          let took = try launchAtOnce(threads: threads, times: perThread, launches[index])
          series[index].add(Double(threads * perThread) * 1_000_000_000 / Double(took))
        }
      }
    )
    return Section("launches a second, \(threads) at once", series, baseline: "posix_spawn")
  }

  /// Launches from several threads, and says how many nanoseconds all of it took.
  private static func launchAtOnce(
    threads: Int,
    times: Int,
    _ launch: @escaping @Sendable () throws -> Void
  ) throws -> UInt64 {
    let failure = Failure()
    let began = MonotonicClock.now
    let joins = try (0..<threads).map { _ in
      Joining(
        try PlainThread.start(name: "launcher") {
          do { for _ in 0..<times { try launch() } } catch { failure.note(error) }
        }
      )
    }
    for join in joins { join.wait() }
    if let error = failure.first { throw error }
    return MonotonicClock.now - began
  }

  /// A thread in a form that an array can hold.
  private final class Joining {
    private var thread: PlainThread?

    init(_ thread: consuming PlainThread) { self.thread = consume thread }

    /// Waits until it has ended.
    func wait() { thread.take()?.join() }
  }

  /// The first error of several threads.
  private final class Failure: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    /// Keeps an error unless there is one already.
    func note(_ new: any Error) { error.withLock { $0 = $0 ?? new } }

    /// The error that was kept.
    var first: (any Error)? { error.withLock { $0 } }
  }
}
