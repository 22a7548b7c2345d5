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

  static func run(_ setting: Setting) throws -> [Table] {
    let talk = Talk(setting)
    // A first session initializes shared resources, which are not part of the cost of a session.
    _ = try together(1, talk)
    var processor = counts.map { Series("processor time a session, \($0) at once") }
    var host = counts.map { Series("host, a session, \($0) at once", .kibibytes) }
    var inits = counts.map { Series("session init, each, \($0) at once", .kibibytes) }
    var program = counts.map { Series("extension, each, \($0) at once", .kibibytes) }
    var trip = counts.map { Series("context/get, there and back, \($0) at once") }
    var notes: [String] = []
    // Each of many sessions is a separate sample, so hundreds need no repetition.
    let turns = counts.indices.flatMap { Array(repeating: $0, count: counts[$0] < 50 ? 3 : 1) }
    try interleave(
      rounds: 1,
      turns.map { index in
        {
          let count = counts[index]
          let seen = try together(count, talk)
          processor[index].add(nanoseconds: seen.processorTime / UInt64(count))
          host[index].add(seen.host / Double(count))
          inits[index].add(seen.inits / Double(count))
          program[index].add(seen.programs / Double(count))
          for time in seen.trips { trip[index].add(nanoseconds: time) }
          notes.append(
            "\(count) at once: \(seen.trips.count) of \(count * trips) messages answered, "
              + "\(seen.present) extensions in \(seen.processes) processes seen at the same time"
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
  private struct Seen {
    /// The processor time of host and extensions, in nanoseconds.
    var processorTime: UInt64 = 0
    /// The memory growth of the host, in KiB.
    var host = 0.0
    /// The memory of all inits, in KiB.
    var inits = 0.0
    /// The memory of all extensions, in KiB.
    var programs = 0.0
    /// The number of listening extensions.
    var present = 0
    /// The number of processes.
    var processes = 0
    /// The durations that the extensions recorded.
    var trips: [UInt64] = []
  }

  private static func together(_ count: Int, _ talk: Talk) throws -> Seen {
    let gathering = Gathering()
    let trips = Mutex<[UInt64]>([])
    let watched = Mutex(Seen())
    let (spent, before) = (processorTime, ProcessTree.kibibytes(of: getpid()))
    try Crew.work(threads: count + 1) { thread in
      guard thread < count else {
        _ = gathering.wait(for: count, seconds: 120)
        // The last extension must receive its replies, too.
        MonotonicClock.sleep(milliseconds: 300)
        let seen = look(gathering)
        watched.withLock { $0 = seen }
        gathering.end()
        return
      }
      let noted = try talk.run(["stay"], control: Gathering.Guest(gathering)).map(\.nanoseconds)
      trips.withLock { $0 += noted }
    }
    var seen = watched.withLock { $0 }
    seen.host = max(0, seen.host - before)
    seen.processorTime = processorTime - spent
    seen.trips = trips.withLock { $0 }
    return seen
  }

  /// Measures the memory of this process and its descendants.
  private static func look(_ gathering: Gathering) -> Seen {
    var seen = Seen()
    seen.present = gathering.present
    seen.host = ProcessTree.kibibytes(of: getpid())
    let host = ProcessTree.executable(of: getpid())
    for process in ProcessTree.below(getpid()).dropFirst() {
      seen.processes += 1
      let executable = ProcessTree.executable(of: process)
      // Brokers and prewarmed processes run the executable of the host and belong to its memory.
      if executable == host { continue }
      let memory = ProcessTree.kibibytes(of: process)
      let isProgram = executable.hasSuffix("/\(Payload.talk.file)")
      if isProgram { seen.programs += memory } else { seen.inits += memory }
    }
    return seen
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
