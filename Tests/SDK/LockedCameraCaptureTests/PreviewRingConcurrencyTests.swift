// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Synchronization
import Testing

@testable import LockedCameraCapture

/// The writer and the reader of the viewfinder ring, running concurrently at full speed.
@Suite(.timeLimit(.minutes(20))) struct PreviewRingConcurrencyTests {
  /// The minimum number of drawn frames. The writer draws many per millisecond.
  private static let frames = 20_000
  /// The minimum number of held frames.
  private static let holds = 100

  @Test func `does not modify a frame while the host holds it`() throws {
    let camera = try FrameRingGeometry(width: 64, height: 32, frameRateNumerator: 60, frameRateDenominator: 1)
    let ring = try PreviewRing.make(camera)
    let memory = try Mapping(ring.descriptor, length: camera.totalBytes, .read)
    let published = SharedWord(in: memory.bytes, at: FrameRingLayout.Header.published)
    let event = try EventCounter.make()
    let channel = PreviewChannel(frames: try ring.descriptor.duplicate(), frameEvent: try event.duplicate())
    let drawing = ViewfinderPainter(try PreviewRingWriter.open(channel, like: camera))
    let painter = try HostThread { try drawing.show(Self.frames) }
    var (held, touched, changed) = (0, 0, 0)
    while !drawing.isFinished {
      guard let frame = ring.hold() else { continue }
      held += 1
      if held == Self.holds { drawing.finish() }
      let first = frame.pixels[0]
      let end = published.load() + UInt64(2 * camera.slots)
      // A modification may be visible only briefly, so the reader checks the frame while the writer passes
      // the ring twice.
      while !drawing.isFinished, published.load() < end { touched += ring.isIntact(frame) ? 0 : 1 }
      changed += frame.pixels.prefix(64 * 32).allSatisfy { $0 == first } ? 0 : 1
      ring.release()
    }
    try painter.join()
    #expect(held >= Self.holds)
    #expect(touched == 0 && changed == 0, "\(held) held, \(touched) touched, \(changed) changed")
  }

  @Test func `rejects a viewfinder ring with fewer than three slots`() throws {
    let camera = try FrameRingGeometry(
      width: 64,
      height: 32,
      frameRateNumerator: 60,
      frameRateDenominator: 1,
      slots: 2
    )
    #expect(throws: ExtensionFailure.self) {
      let file = try MemoryFile.makeWritable(name: "narrow", size: camera.totalBytes)
      try file.writeAll(camera.header)
      let channel = PreviewChannel(frames: file, frameEvent: try EventCounter.make())
      _ = try PreviewRingWriter.open(channel, like: camera)
    }
  }
}

/// Draws frames. It is `@unchecked Sendable` because only one thread uses it, except for the atomic
/// ``isFinished`` and `finish()`.
private final class ViewfinderPainter: @unchecked Sendable {
  private let writer: PreviewRingWriter
  private let over = Atomic(false)
  private let enough = Atomic(false)

  init(_ writer: PreviewRingWriter) { self.writer = writer }

  /// Whether the drawing has ended, by completion or by an error.
  var isFinished: Bool { over.load(ordering: .acquiring) }

  /// Lets the drawing end.
  func finish() { enough.store(true, ordering: .releasing) }

  /// Draws at least `count` frames of one brightness each, and more until `finish()` is called.
  func show(_ count: Int) throws {
    defer { over.store(true, ordering: .releasing) }
    let all = PixelRectangle(x: 0, y: 0, width: 64, height: 32)
    var number = 0
    while number < count || !enough.load(ordering: .acquiring) {
      number += 1
      let color = PreviewColor(luma: UInt8(truncatingIfNeeded: number))
      _ = try writer.show(timestamp: 0) { $0.fill(all, color) }
    }
  }
}
