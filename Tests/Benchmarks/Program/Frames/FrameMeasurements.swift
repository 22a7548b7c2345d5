// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import CameraSource
import ExtensionProtocol
import LinuxPrimitives

/// From the camera to the extension: the delay from publication to wake-up of the reader, the frame rate, and
/// the cost of decoding an image.
enum FrameMeasurements: MeasurementGroup {
  static let name = "frames"
  static let sizes = ["1280x720", "1920x1080", "3840x2160"]
  /// The title of the table of latencies.
  static let wakeUps = "frame wake-up"
  /// The title of the table of copies.
  static let copyCounts = "frame copies"
  /// Returns the row name of the latency of a size.
  static func wakeUp(_ size: String) -> String { "frame published to reader awake, \(size)" }
  /// Returns the row name of the copies of a size.
  static func copiesOf(_ size: String) -> String { "copies between source and reader, \(size)" }
  private static let countNote =
    "counted: frames that the source drew outside the ring that the reader maps, and bytes in system calls, "
    + "converted to frames"

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    var latencies = [try bareWakeUp(setup.runs)]
    var copies: [Series] = []
    var rates: [Series] = []
    var counted: [Series] = []
    for size in sizes {
      var latency = Series(wakeUp(size))
      var rate = Series("frames, unpaced, \(size)", .perSecond)
      // The pace lets the reader sleep between frames.
      let paced = try FramePath("pattern:\(size)@60")
      try paced.wakeUps(setup.runs) { latency.add(nanoseconds: $0) }
      copies.append(paced.copyTimes(setup.runs, "one copy of a frame, \(size)"))
      let unpaced = try FramePath("pattern:\(size)@60")
      for _ in 0..<5 { rate.add(try unpaced.rate(frames: UInt64(setup.runs))) }
      var count = Series(copiesOf(size), .copies)
      for _ in 0..<5 { count.add(try unpaced.copies(frames: UInt64(setup.runs))) }
      counted.append(count)
      latencies.append(latency)
      rates.append(rate)
    }
    let decoding = try DecodingMeasurements.run(setup.runs)
    return [
      Table(wakeUps, latencies + copies, baseline: bare, notes: [copyNote(latencies, copies)]),
      Table(copyCounts, counted, baseline: counted[0].name, notes: [countNote]),
      Table("frame rate", rates, baseline: rates[0].name),
      Table("pictures", decoding, baseline: decoding[0].name),
    ]
  }

  /// Returns a note about the number of frame copies that the extra latency of larger frames corresponds to.
  /// Uses the 10 % quantile, because a busy machine delays readers by more than any copy takes.
  private static func copyNote(_ latencies: [Series], _ copies: [Series]) -> String {
    guard let (small, large) = latencies.count > 2 ? (latencies[1], latencies[latencies.count - 1]) : nil,
      let (cheapestCall, most) = copies.count > 1 ? (copies[0], copies[copies.count - 1]) : nil
    else { return "" }
    let count = max(
      0,
      (large.quantile(0.1) - small.quantile(0.1)) / (most.quantile(0.1) - cheapestCall.quantile(0.1))
    )
    let hundredths = Int((count * 100).rounded())
    return "copies between the ring and the reader: \(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")"
      + "\(hundredths % 100), the difference in time between a large and a small frame, divided by the time to "
      + "copy the difference in bytes"
  }

  private static let bare = "eventfd written to reader awake"

  /// Measures the wake-up of a sleeping thread of this process without a frame, the lower bound for every
  /// frame.
  private static func bareWakeUp(_ runs: Int) throws -> Series {
    let eventCounters = try EventCounterPair()
    let label = try MemoryFile.make(name: "moment", size: 4096)
    let mapping = try Mapping(label, length: 4096, .readWrite)
    let wakeTime = SharedWord(in: mapping.bytes, at: 0)
    let thread = try PlainThread.start(name: "reader") {
      for _ in 0..<runs {
        _ = try? Poller.wait([(eventCounters.wake.rawValue, .readable)])
        let now = MonotonicClock.now
        _ = try? EventCounter.take(eventCounters.wake)
        wakeTime.store(now)
        try? EventCounter.add(to: eventCounters.reply)
      }
    }
    var series = Series(bare)
    for _ in 0..<runs {
      try Pause.milliseconds(5)
      let began = MonotonicClock.now
      try EventCounter.add(to: eventCounters.wake)
      _ = try Poller.wait([(eventCounters.reply.rawValue, .readable)])
      _ = try EventCounter.take(eventCounters.reply)
      series.add(nanoseconds: wakeTime.load() - began)
    }
    thread.join()
    return series
  }
}

/// Two event counters that two threads of this process share.
private final class EventCounterPair: Sendable {
  /// Wakes the reader.
  let wake: Descriptor
  /// The reply of the reader.
  let reply: Descriptor

  init() throws {
    wake = try EventCounter.make()
    reply = try EventCounter.make()
  }
}

/// A pause without work.
enum Pause {
  /// Waits for the given number of milliseconds.
  static func milliseconds(_ count: UInt64) throws {
    _ = try Poller.wait([], until: MonotonicClock.now + count * 1_000_000)
  }
}
