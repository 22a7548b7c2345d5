// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct FramePumpTests {
  /// A pump, and the resources of the extension.
  final class Fixture {
    let pump: FramePump
    let ring: FrameRing
    /// The ring as the extension maps it.
    let mapping: Mapping
    /// The eventfd that wakes the extension.
    let event: Descriptor
    /// The eventfd with which the extension acknowledges frames.
    let done: Descriptor

    /// Creates a pump for a source.
    init(_ source: sending any FrameSource) throws {
      ring = try FrameRing.make(source.geometry.ringGeometry())
      mapping = try Mapping(ring.descriptor, length: ring.geometry.totalBytes, .read)
      event = try EventCounter.make()
      done = try EventCounter.make()
      pump = try FramePump.make(source: source, ring: ring, frameEvent: event, frameDone: done)
    }

    deinit { pump.stop() }

    /// Waits until the pump has produced `count` frames.
    func waitForFrames(_ count: UInt64) {
      while pump.counts.produced < count { usleep(500) }
    }

    /// Returns the number that the pixels of a frame show, and the sequence in its slot.
    func frame(_ sequence: UInt64) -> (number: UInt64, sequence: UInt64) {
      let geometry = ring.geometry
      let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
      let slot = UnsafeRawBufferPointer(rebasing: mapping.bytes[start..<(start + geometry.slotStride)])
      let found = SharedWord(in: mapping.bytes, at: start).load()
      return (UInt64(TestPatternSource.frameNumber(in: slot, layout: geometry)), found)
    }
  }

  /// Creates a test pattern with 1000 frames per second.
  static func pattern() throws -> sending any FrameSource {
    try FrameSourceOpener.open("pattern:64x32@1000", stop: StopSignal())
  }

  /// Creates a stream of `frames` frames whose pixels all equal the frame index.
  static func values(_ frames: Int, _ header: String = "W2 H2 F1000:1 XCOLORRANGE=FULL") throws
    -> sending any FrameSource
  {
    var bytes = Array("YUV4MPEG2 \(header)\n".utf8)
    for frame in 0..<frames { bytes += Array("FRAME\n".utf8) + [UInt8](repeating: UInt8(frame), count: 6) }
    let file = try MemoryFile.makeSealed(name: "values", bytes: bytes)
    return try FrameSourceOpener.open(file, name: "values", stop: StopSignal())
  }

  /// Whether an eventfd is readable now.
  func isReadable(_ descriptor: borrowing Descriptor) throws -> Bool {
    try !Poller.wait([(descriptor.rawValue, .readable)], until: MonotonicClock.now)[0].isEmpty
  }

  @Test func `allocates the memory of the first frame before a frame is requested, and no more`() throws {
    let fixture = try Fixture(FrameSourceOpener.open("pattern:640x480", stop: StopSignal()))
    let geometry = fixture.ring.geometry
    let begins = [1, 2].map { geometry.offset(ofSlot: geometry.slot(ofFrame: $0)) }
    let first = begins[0]..<begins[1]
    let file = fixture.ring.descriptor.rawValue
    func allocated() throws -> Int { Int(try Descriptor.duplicate(of: file).status().allocated) }
    #expect(try TestTimeout.waitUntil { try allocated() >= first.count })
    // The rest is the header, and parts of pages that belong to another slot.
    #expect(try allocated() < first.count + 3 * 4096)
    #expect(fixture.pump.counts.produced == 0)
  }

  /// Includes a frame that waits for its presentation time, and one that the source is writing.
  @Test(arguments: ["pattern:64x32@1000", "pattern:64x32@2"])
  func `leaves nothing readable after an erase, and delivers frames again after a restart`(source: String)
    throws
  {
    let fixture = try Fixture(FrameSourceOpener.open(source, stop: StopSignal()))
    fixture.pump.start(.latest)
    fixture.waitForFrames(1)
    fixture.pump.erase()
    let produced = fixture.pump.counts.produced
    let header = FrameRingLayout.headerBytes
    while fixture.mapping.bytes[header...].contains(where: { $0 != 0 }) { usleep(500) }
    usleep(20_000)
    #expect(fixture.mapping.bytes[header...].allSatisfy { $0 == 0 })
    #expect(fixture.pump.counts.produced == produced)
    fixture.pump.start(.latest)
    fixture.waitForFrames(produced + 1)
    // At 1000 frames per second, a slow test reads a later frame of the same slot, or one that is being
    // written.
    let geometry = fixture.ring.geometry
    var found: UInt64 = 0
    while found == 0 { found = fixture.frame(produced + 1).sequence }
    #expect(found > produced)
    #expect(geometry.slot(ofFrame: found) == geometry.slot(ofFrame: produced + 1), "frame \(found)")
  }

  @Test func `erases the ring immediately even if the source is stalled in the middle of a frame`() throws {
    let pipe = try Pipe.make()
    let frame = "FRAME\n" + String(repeating: "x", count: 6)
    // The source now stalls in the middle of the second frame.
    try pipe.writeEnd.writeAll(Array("YUV4MPEG2 W2 H2 F1000:1 XCOLORRANGE=FULL\n\(frame)FRAME\nyyy".utf8))
    let fixture = try Fixture(
      FrameSourceOpener.open(pipe.readEnd.duplicate(), name: "pipe", stop: StopSignal())
    )
    fixture.pump.start(.latest)
    fixture.waitForFrames(1)
    let slots = FrameRingLayout.headerBytes
    // Three equal letters, because a single byte of a timestamp can match any letter.
    func holds(_ pixels: String) -> Bool {
      let bytes = Array(fixture.mapping.bytes[slots...])
      return bytes.indices.contains { bytes[$0...].starts(with: pixels.utf8) }
    }
    while !holds("yyy") { usleep(500) }
    fixture.pump.erase()
    #expect(fixture.mapping.bytes[slots...].allSatisfy { $0 == 0 })
    // The half-written frame is discarded; the next one is delivered.
    fixture.pump.start(.latest)
    try pipe.writeEnd.writeAll(Array("yyy".utf8))
    try pipe.writeEnd.writeAll(Array("FRAME\nzzzzzz".utf8))
    fixture.waitForFrames(2)
    #expect(holds("zzzzzz"))
    #expect(!holds("yyy"))
  }

  @Test func `counts an erased frame as dropped even if the extension acknowledges it later`() throws {
    let fixture = try Fixture(Self.values(2))
    fixture.pump.start(.every, pace: .consumption)
    fixture.waitForFrames(2)
    try EventCounter.add(1, to: fixture.done)
    fixture.pump.erase()
    let counts = fixture.pump.counts
    #expect(counts.produced == 2 && counts.consumed == 1 && counts.dropped == 1)
    try EventCounter.add(1, to: fixture.done)
    #expect(fixture.pump.counts == counts)
  }

  @Test func `erases the ring even after the source has ended`() throws {
    let fixture = try Fixture(Self.values(3))
    fixture.pump.start(.every, pace: .consumption)
    fixture.waitForFrames(3)
    try EventCounter.add(3, to: fixture.done)
    while fixture.pump.completion == nil { usleep(500) }
    fixture.pump.erase()
    #expect(fixture.mapping.bytes[FrameRingLayout.headerBytes...].allSatisfy { $0 == 0 })
  }

  @Test func `publishes nothing before the start`() throws {
    let fixture = try Fixture(Self.pattern())
    #expect(fixture.pump.counts == FrameCounts() && fixture.ring.published == 0)
    fixture.pump.stop()
    #expect(fixture.pump.completion == .stopped && fixture.ring.published == 0)
    fixture.pump.stop()
  }

  @Test(arguments: [FramePace.frameRate, .consumption])
  func `does not overwrite unacknowledged frames if every frame is delivered`(pace: FramePace) throws {
    let fixture = try Fixture(Self.pattern())
    fixture.pump.start(.every, pace: pace)
    var last: UInt64 = 0
    for round in UInt64(0)..<50 {
      fixture.waitForFrames(4 + 2 * round)
      usleep(round < 3 ? 20_000 : 0)
      #expect(fixture.ring.published == 4 + 2 * round)
      for sequence in (last + 1)...(last + 2) {
        #expect(fixture.frame(sequence) == (sequence, sequence))
      }
      last += 2
      try EventCounter.add(2, to: fixture.done)
    }
    fixture.waitForFrames(104)
    fixture.pump.stop()
    #expect(fixture.pump.counts.consumed == 100 && fixture.pump.counts.dropped == 0)
    #expect(try EventCounter.take(fixture.event) == 104)
  }

  @Test
  func `does not wait for a slow reader with delivery of the latest frame, and counts dropped frames`()
    throws
  {
    let fixture = try Fixture(Self.pattern())
    fixture.pump.start(.latest)
    fixture.waitForFrames(40)
    fixture.pump.stop()
    let counts = fixture.pump.counts
    #expect(counts.consumed == 0 && counts.produced == fixture.ring.published)
    // The pump can stop after it has dropped a frame, but before it has published the next one.
    #expect([3, 4].contains(counts.produced - counts.dropped))
    #expect(fixture.frame(counts.produced) == (counts.produced, counts.produced))
  }

  @Test func `loses no frame if the reader keeps up`() throws {
    let fixture = try Fixture(Self.values(200))
    fixture.pump.start(.every, pace: .consumption)
    var seen: [UInt8] = []
    while seen.count < 200 {
      _ = try Poller.wait([(fixture.event.rawValue, .readable)])
      let fresh = try EventCounter.take(fixture.event)
      for _ in 0..<fresh {
        let geometry = fixture.ring.geometry
        let slot = geometry.slot(ofFrame: UInt64(seen.count) + 1)
        seen.append(fixture.mapping.bytes[geometry.offset(ofSlot: slot) + FrameRingLayout.Slot.pixels])
      }
      try EventCounter.add(fresh, to: fixture.done)
    }
    _ = try Poller.wait([(fixture.pump.completionEvent.rawValue, .readable)])
    #expect(seen == Array(0..<200))
    #expect(fixture.pump.completion == .sourceEnded)
    let counts = fixture.pump.counts
    #expect(counts.produced == 200 && counts.consumed == 200 && counts.dropped == 0)
  }

  @Test func `reports the end of the source only after the last frame is acknowledged`() throws {
    let fixture = try Fixture(Self.values(3))
    fixture.pump.start(.every, pace: .consumption)
    fixture.waitForFrames(3)
    try EventCounter.add(2, to: fixture.done)
    while fixture.pump.counts.consumed < 2 { usleep(500) }
    #expect(try !isReadable(fixture.pump.completionEvent))
    try EventCounter.add(1, to: fixture.done)
    _ = try Poller.wait([(fixture.pump.completionEvent.rawValue, .readable)])
    #expect(fixture.pump.completion == .sourceEnded)
  }

  @Test func `pauses immediately, and continues with the next frame after a restart`() throws {
    let fixture = try Fixture(Self.pattern())
    fixture.pump.start(.latest)
    fixture.waitForFrames(5)
    fixture.pump.pause()
    let held = fixture.ring.published
    usleep(20_000)
    #expect(fixture.ring.published == held)
    fixture.pump.start(.every)
    fixture.waitForFrames(held + 4)
    usleep(20_000)
    #expect(fixture.ring.published == held + 4)
    #expect(fixture.frame(held + 1) == (held + 1, held + 1))
    try EventCounter.add(1, to: fixture.done)
    fixture.waitForFrames(held + 5)
  }

  @Test func `ends with the error of a failing source`() throws {
    let bytes = Array("YUV4MPEG2 W2 H2\nFRAME\n123456FRAME\n1".utf8)
    let file = try MemoryFile.makeSealed(name: "cut", bytes: bytes)
    let fixture = try Fixture(FrameSourceOpener.open(file, name: "cut.y4m", stop: StopSignal()))
    fixture.pump.start(.latest)
    _ = try Poller.wait([(fixture.pump.completionEvent.rawValue, .readable)])
    let fault = Y4MFault.frameTruncated(frame: 2, bytes: 1, needed: 6)
    #expect(fixture.pump.completion == .failed(FrameSourceError("cut.y4m", .stream(fault, byte: 35))))
    #expect(fixture.ring.published == 1)
  }

  @Test func `stops while it waits for a pipe without data`() throws {
    let pipe = try Pipe.make()
    try pipe.writeEnd.writeAll(Array("YUV4MPEG2 W2 H2\n".utf8))
    let source = try FrameSourceOpener.open(pipe.readEnd.duplicate(), name: "pipe", stop: StopSignal())
    let fixture = try Fixture(source)
    fixture.pump.start(.latest)
    usleep(5000)
    fixture.pump.stop()
    #expect(fixture.pump.completion == .stopped)
  }

  @Test func `expands limited-range frames to full range in the ring`() throws {
    let fixture = try Fixture(Self.values(17, "W2 H2 F1000:1"))
    fixture.pump.start(.latest)
    _ = try Poller.wait([(fixture.pump.completionEvent.rawValue, .readable)])
    let start = fixture.ring.geometry.offset(ofSlot: fixture.ring.geometry.slot(ofFrame: 17))
    #expect(Array(fixture.mapping.bytes[(start + 64)..<(start + 70)]) == [0, 0, 0, 0, 0, 0])
  }

  @Test func `ignores acknowledgments of more frames than were published`() throws {
    let fixture = try Fixture(Self.pattern())
    try EventCounter.add(1 << 62, to: fixture.done)
    fixture.pump.start(.every)
    fixture.waitForFrames(4)
    try EventCounter.add(1 << 62, to: fixture.done)
    fixture.waitForFrames(8)
    usleep(20_000)
    let counts = fixture.pump.counts
    #expect(counts.produced == 8 && counts.consumed == 4 && counts.dropped == 0)
  }

  @Test func `does not block if the extension makes the event counters blocking and full`() throws {
    let fixture = try Fixture(Self.pattern())
    for descriptor in [fixture.event.rawValue, fixture.done.rawValue] {
      #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) == 0)
    }
    try EventCounter.add(UInt64.max - 1, to: fixture.event)
    fixture.pump.start(.latest)
    fixture.waitForFrames(20)
    fixture.pump.stop()
    #expect(fixture.pump.completion == .stopped)
  }
}
