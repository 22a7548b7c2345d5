// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import CameraSource
import ExtensionProtocol
import LinuxPrimitives

/// A pump, its ring, and a reader that behaves like an extension.
final class FramePath {
  private let pump: FramePump
  private let ring: FrameRing
  private let mapping: Mapping
  private let event: Descriptor
  private let done: Descriptor

  private let monitor: DrawLocationMonitor

  /// Opens a source and creates a paused pump for it.
  init(_ source: String) throws {
    let opened = try FrameSourceOpener.open(source, stop: StopSignal())
    ring = try FrameRing.make(opened.geometry.ringGeometry())
    mapping = try Mapping(ring.descriptor, length: ring.geometry.totalBytes, .read)
    event = try EventCounter.make()
    done = try EventCounter.make()
    let monitor = DrawLocationMonitor(ring: try ring.descriptor.status().inode)
    self.monitor = monitor
    pump = try FramePump.make(
      source: MonitoredFrameSource(opened, monitor),
      ring: ring,
      frameEvent: event,
      frameDone: done
    )
  }

  deinit { pump.stop() }

  /// Waits for frames at the source's pace and records the delay from publication to wake-up of each frame.
  func wakeUps(_ count: Int, _ note: (UInt64) -> Void) throws {
    pump.start(.latest)
    for _ in 0..<count {
      _ = try Poller.wait([(event.rawValue, .readable)])
      let wakeTime = MonotonicClock.now
      let newFrames = try EventCounter.take(event)
      note(wakeTime - publication(ofFrame: published))
      try EventCounter.add(newFrames, to: done)
    }
    pump.pause()
  }

  /// Returns the number of copies per frame: frames that the source drew outside the ring, and bytes that
  /// system calls transferred.
  func copies(frames: UInt64) throws -> Double {
    let (before, drawn) = (try TransferredBytes.ofThisProcess(), monitor.framesDrawnOutside)
    _ = try rate(frames: frames)
    let bytes = try TransferredBytes.ofThisProcess() - before
    let copies = UInt64(monitor.framesDrawnOutside - drawn) + bytes / UInt64(ring.geometry.slotStride)
    return Double(copies) / Double(frames)
  }

  /// Measures copying a frame out of the ring, which does not happen on the frame path itself.
  func copyTimes(_ times: Int, _ name: String) -> Series {
    var series = Series(name)
    let length = ring.geometry.slotStride
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 4096)
    defer { copy.deallocate() }
    let slot = UnsafeRawBufferPointer(mapping.bytes)[ring.geometry.offset(ofSlot: 0)...].prefix(length)
    for _ in 0..<times {
      series.add(
        nanoseconds: nanoseconds { copy.copyMemory(from: UnsafeRawBufferPointer(rebasing: slot)) }.time
      )
    }
    return series
  }

  /// Returns the frames per second of a reader that returns each frame at once.
  func rate(frames: UInt64) throws -> Double {
    _ = try EventCounter.take(event)
    pump.start(.every, pace: .consumption)
    let began = MonotonicClock.now
    var seen: UInt64 = 0
    while seen < frames {
      _ = try Poller.wait([(event.rawValue, .readable)])
      let newFrames = try EventCounter.take(event)
      seen += newFrames
      try EventCounter.add(newFrames, to: done)
    }
    let duration = MonotonicClock.now - began
    pump.pause()
    return Double(seen) * 1_000_000_000 / Double(duration)
  }

  private var published: UInt64 {
    SharedWord(in: mapping.bytes, at: FrameRingLayout.Header.published).load()
  }

  /// Returns the time of publication in the ring, not the time of capture.
  private func publication(ofFrame sequence: UInt64) -> UInt64 {
    let start = ring.geometry.offset(ofSlot: ring.geometry.slot(ofFrame: sequence))
    return SharedWord(in: mapping.bytes, at: start + FrameRingLayout.Slot.published).load()
  }
}
