// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import Glibc
import LinuxPrimitives
import Synchronization

/// Concurrent sessions in one host: the cost of each, the memory, and lost messages.
enum ScaleMeasurements: MeasurementGroup {
  static let name = "sessions"
  private static let counts = [1, 8, 100, 300]
  /// The number of round trips of each extension.
  private static let trips = 20

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let talk = MessageSessions(setup)
    // A first session initializes shared resources, which are not part of the cost of a session.
    _ = try runConcurrently(1, talk)
    var processor = counts.map { Series("processor time a session, \($0) at once") }
    var host = counts.map { Series("host, a session, \($0) at once", .kibibytes) }
    var inits = counts.map { Series("session init, each, \($0) at once", .kibibytes) }
    var program = counts.map { Series("extension, each, \($0) at once", .kibibytes) }
    var trip = counts.map { Series("context/get, there and back, \($0) at once") }
    var notes: [String] = []
    // Each of many sessions is a separate sample, so hundreds need no repetition.
    let order = counts.indices.flatMap { Array(repeating: $0, count: counts[$0] < 50 ? 3 : 1) }
    try interleave(
      rounds: 1,
      order.map { index in
        {
          let count = counts[index]
          let observation = try runConcurrently(count, talk)
          processor[index].add(nanoseconds: observation.processorTime / UInt64(count))
          host[index].add(observation.host / Double(count))
          inits[index].add(observation.inits / Double(count))
          program[index].add(observation.programs / Double(count))
          for time in observation.trips { trip[index].add(nanoseconds: time) }
          notes.append(
            "\(count) at once: \(observation.trips.count) of \(count * trips) messages answered, "
              + "\(observation.listening) extensions in \(observation.processes) processes seen at the same time"
          )
        }
      }
    )
    return [
      Table("sessions at once: time", processor, baseline: processor[0].name, notes: Set(notes).sorted()),
      Table("sessions at once: messages", trip, baseline: trip[0].name),
      Table("sessions at once: memory (PSS)", host + inits + program, baseline: program[0].name),
    ]
  }

  /// The observation of several sessions.
  private struct Observation {
    /// The processor time of host and extensions, in nanoseconds.
    var processorTime: UInt64 = 0
    /// The memory growth of the host, in KiB.
    var host = 0.0
    /// The memory of all inits, in KiB.
    var inits = 0.0
    /// The memory of all extensions, in KiB.
    var programs = 0.0
    /// The number of listening extensions.
    var listening = 0
    /// The number of processes.
    var processes = 0
    /// The durations that the extensions recorded.
    var trips: [UInt64] = []
  }

  private static func runConcurrently(_ count: Int, _ talk: MessageSessions) throws -> Observation {
    let barrier = SessionBarrier()
    let trips = Mutex<[UInt64]>([])
    let observed = Mutex(Observation())
    let (spent, before) = (processorTime, ProcessTree.kibibytes(of: getpid()))
    try WorkerThreads.work(threads: count + 1) { thread in
      guard thread < count else {
        _ = barrier.wait(for: count, seconds: 120)
        // The last extension must receive its replies, too.
        MonotonicClock.sleep(milliseconds: 300)
        let observation = observe(barrier)
        observed.withLock { $0 = observation }
        barrier.end()
        return
      }
      let noted = try talk.run(["stay"], control: SessionBarrier.BarrierControl(barrier)).map(\.nanoseconds)
      trips.withLock { $0 += noted }
    }
    var observation = observed.withLock { $0 }
    observation.host = max(0, observation.host - before)
    observation.processorTime = processorTime - spent
    observation.trips = trips.withLock { $0 }
    return observation
  }

  /// Measures the memory of this process and its descendants.
  private static func observe(_ barrier: SessionBarrier) -> Observation {
    var observation = Observation()
    observation.listening = barrier.listening
    observation.host = ProcessTree.kibibytes(of: getpid())
    let host = ProcessTree.executable(of: getpid())
    for process in ProcessTree.descendants(getpid()).dropFirst() {
      observation.processes += 1
      let executable = ProcessTree.executable(of: process)
      // Brokers and prewarmed processes run the executable of the host and belong to its memory.
      if executable == host { continue }
      let memory = ProcessTree.kibibytes(of: process)
      let isProgram = executable.hasSuffix("/\(Payload.talk.file)")
      if isProgram { observation.programs += memory } else { observation.inits += memory }
    }
    return observation
  }

  /// The processor time of this process and its reaped children, in nanoseconds.
  private static var processorTime: UInt64 {
    [RUSAGE_SELF, RUSAGE_CHILDREN]
      .reduce(0) { sum, who in
        var usage = rusage()
        getrusage(who.rawValue, &usage)
        return sum
          + [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
            sum + UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1000
          }
      }
  }
}
