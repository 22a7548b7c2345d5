// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import JSONText
import LinuxPrimitives
import SessionStore

/// The duration of messages between host and extension and of app context operations, measured inside an
/// extension.
enum MessageMeasurements: MeasurementGroup {
  static let name = "messages"
  private static let rounds = 5
  private static let pipes = "byte through two pipes and back"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let talk = MessageSessions(setup)
    var floor = Series(pipes)
    var (get, update) = (Series("context/get, there and back"), Series("context/update, there and back"))
    var rate = Series("messages answered, as many as may be sent at once", .perSecond)
    var (stored, read) = (Series("app context written by the app"), Series("app context read by the app"))
    let store = AppContextStore(setup.app)
    for round in 0..<rounds {
      try roundTrip(times: 300) { floor.add(nanoseconds: $0) }
      for (name, time) in try talk.run(["measure"]) {
        switch name {
        case "context/get": get.add(nanoseconds: time)
        case "context/update": update.add(nanoseconds: time)
        default: rate.add(1_000_000_000 / Double(max(1, time)))
        }
      }
      for iteration in 0..<20 {
        let context: JSONValue = ["flash": "on", "zoom": .integer(Int64(100 * round + iteration))]
        stored.add(nanoseconds: try nanoseconds { _ = try store.set(context) }.time)
        read.add(nanoseconds: try nanoseconds { _ = try store.get() }.time)
      }
    }
    return [
      Table(
        "messages and app context",
        [floor, get, update, stored, read, rate],
        baseline: pipes,
        notes: ["an extension may send 4000 messages at once and 2000 a second in the long run"]
      )
    ]
  }

  /// Sends a byte to another thread and back, the lower bound for messages through pipes.
  private static func roundTrip(times: Int, _ note: (UInt64) -> Void) throws {
    let request = try Pipe.make()
    let reply = try Pipe.make()
    let (input, output) = (request.readEnd.rawValue, reply.writeEnd.rawValue)
    let thread = try PlainThread.start(name: "echo") {
      let input = Descriptor(owning: input)
      let output = Descriptor(owning: output)
      for _ in 0..<times {
        guard (try? Launcher.waitForByte(input)) == true else { break }
        try? output.writeAll([1])
      }
      // The pipes own these descriptors.
      _ = (input.release(), output.release())
    }
    for _ in 0..<times {
      let began = MonotonicClock.now
      try request.writeEnd.writeAll([1])
      _ = try Launcher.waitForByte(reply.readEnd)
      note(MonotonicClock.now - began)
    }
    thread.join()
  }
}
