// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct FramePumpTests {
  /// A pump, and the resources of the extension.
  final class Setting {
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
      return (UInt64(TestPatternSource.number(in: slot, layout: geometry)), found)
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

  @Test func `the memory of the first frame is there before a frame is wanted, and no more`() throws {
    let setting = try Setting(FrameSourceOpener.open("pattern:640x480", stop: StopSignal()))
    let geometry = setting.ring.geometry
    let begins = [1, 2].map { geometry.offset(ofSlot: geometry.slot(ofFrame: $0)) }
    let first = begins[0]..<begins[1]
    let file = setting.ring.descriptor.rawValue
    func allocated() throws -> Int { Int(try Descriptor.duplicate(of: file).status().allocated) }
    #expect(try TestPatience.comes { try allocated() >= first.count })
    // The rest is the header, and parts of pages that belong to another slot.
    #expect(try allocated() < first.count + 3 * 4096)
    #expect(setting.pump.counts.produced == 0)
  }

  /// Includes a frame that waits for its presentation time, and one that the source is writing.
  @Test(arguments: ["pattern:64x32@1000", "pattern:64x32@2"])
  func `what was erased can be read no more, and a new start gives frames again`(source: String) throws {
    let setting = try Setting(FrameSourceOpener.open(source, stop: StopSignal()))
    setting.pump.start(.latest)
    setting.waitForFrames(1)
    setting.pump.erase()
    let produced = setting.pump.counts.produced
    let header = FrameRingLayout.headerBytes
    while setting.mapping.bytes[header...].contains(where: { $0 != 0 }) { usleep(500) }
    usleep(20_000)
    #expect(setting.mapping.bytes[header...].allSatisfy { $0 == 0 })
    #expect(setting.pump.counts.produced == produced)
    setting.pump.start(.latest)
    setting.waitForFrames(produced + 1)
    // At 1000 frames per second, a slow test reads a later frame of the same slot, or one that is being
    // written.
    let geometry = setting.ring.geometry
    var found: UInt64 = 0
    while found == 0 { found = setting.frame(produced + 1).sequence }
    #expect(found > produced)
    #expect(geometry.slot(ofFrame: found) == geometry.slot(ofFrame: produced + 1), "frame \(found)")
  }

  @Test func `what was erased is gone at once, however long the source keeps quiet`() throws {
    let pipe = try Pipe.make()
    let frame = "FRAME\n" + String(repeating: "x", count: 6)
    // The source now stalls in the middle of the second frame.
    try pipe.writeEnd.writeAll(Array("YUV4MPEG2 W2 H2 F1000:1 XCOLORRANGE=FULL\n\(frame)FRAME\nyyy".utf8))
    let setting = try Setting(FrameSourceOpener.open(pipe.readEnd, name: "pipe", stop: StopSignal()))
    setting.pump.start(.latest)
    setting.waitForFrames(1)
    let slots = FrameRingLayout.headerBytes
    // Three equal letters, because a single byte of a timestamp can match any letter.
    func holds(_ pixels: String) -> Bool {
      let bytes = Array(setting.mapping.bytes[slots...])
      return bytes.indices.contains { bytes[$0...].starts(with: pixels.utf8) }
    }
    while !holds("yyy") { usleep(500) }
    setting.pump.erase()
    #expect(setting.mapping.bytes[slots...].allSatisfy { $0 == 0 })
    // The half-written frame is discarded; the next one is delivered.
    setting.pump.start(.latest)
    try pipe.writeEnd.writeAll(Array("yyy".utf8))
    try pipe.writeEnd.writeAll(Array("FRAME\nzzzzzz".utf8))
    setting.waitForFrames(2)
    #expect(holds("zzzzzz"))
    #expect(!holds("yyy"))
  }

  @Test func `a frame that was erased was not taken, whatever the extension says of it later`() throws {
    let setting = try Setting(Self.values(2))
    setting.pump.start(.every, pace: .consumption)
    setting.waitForFrames(2)
    try EventCounter.add(1, to: setting.done)
    setting.pump.erase()
    let counts = setting.pump.counts
    #expect(counts.produced == 2 && counts.consumed == 1 && counts.dropped == 1)
    try EventCounter.add(1, to: setting.done)
    #expect(setting.pump.counts == counts)
  }

  @Test func `a ring whose source has ended is erased, too`() throws {
    let setting = try Setting(Self.values(3))
    setting.pump.start(.every, pace: .consumption)
    setting.waitForFrames(3)
    try EventCounter.add(3, to: setting.done)
    while setting.pump.ending == nil { usleep(500) }
    setting.pump.erase()
    #expect(setting.mapping.bytes[FrameRingLayout.headerBytes...].allSatisfy { $0 == 0 })
  }

  @Test func `nothing is published before the start`() throws {
    let setting = try Setting(Self.pattern())
    #expect(setting.pump.counts == FrameCounts() && setting.ring.published == 0)
    setting.pump.stop()
    #expect(setting.pump.ending == .stopped && setting.ring.published == 0)
    setting.pump.stop()
  }

  @Test(arguments: [FramePace.frameRate, .consumption])
  func `with every frame delivered, none is overwritten that was not accounted for`(pace: FramePace) throws {
    let setting = try Setting(Self.pattern())
    setting.pump.start(.every, pace: pace)
    var last: UInt64 = 0
    for round in UInt64(0)..<50 {
      setting.waitForFrames(4 + 2 * round)
      usleep(round < 3 ? 20_000 : 0)
      #expect(setting.ring.published == 4 + 2 * round)
      for sequence in (last + 1)...(last + 2) {
        #expect(setting.frame(sequence) == (sequence, sequence))
      }
      last += 2
      try EventCounter.add(2, to: setting.done)
    }
    setting.waitForFrames(104)
    setting.pump.stop()
    #expect(setting.pump.counts.consumed == 100 && setting.pump.counts.dropped == 0)
    #expect(try EventCounter.take(setting.event) == 104)
  }

  @Test
  func `with the newest frames delivered, nobody who is slow holds them up, and what is lost is counted`()
    throws
  {
    let setting = try Setting(Self.pattern())
    setting.pump.start(.latest)
    setting.waitForFrames(40)
    setting.pump.stop()
    let counts = setting.pump.counts
    #expect(counts.consumed == 0 && counts.produced == setting.ring.published)
    // The pump can stop after it has dropped a frame, but before it has published the next one.
    #expect([3, 4].contains(counts.produced - counts.dropped))
    #expect(setting.frame(counts.produced) == (counts.produced, counts.produced))
  }

  @Test func `a reader that keeps up loses nothing`() throws {
    let setting = try Setting(Self.values(200))
    setting.pump.start(.every, pace: .consumption)
    var seen: [UInt8] = []
    while seen.count < 200 {
      _ = try Poller.wait([(setting.event.rawValue, .readable)])
      let fresh = try EventCounter.take(setting.event)
      for _ in 0..<fresh {
        let geometry = setting.ring.geometry
        let slot = geometry.slot(ofFrame: UInt64(seen.count) + 1)
        seen.append(setting.mapping.bytes[geometry.offset(ofSlot: slot) + FrameRingLayout.Slot.pixels])
      }
      try EventCounter.add(fresh, to: setting.done)
    }
    _ = try Poller.wait([(setting.pump.ended.rawValue, .readable)])
    #expect(seen == Array(0..<200))
    #expect(setting.pump.ending == .sourceEnded)
    let counts = setting.pump.counts
    #expect(counts.produced == 200 && counts.consumed == 200 && counts.dropped == 0)
  }

  @Test func `the end of the source is reported when the last frame was accounted for`() throws {
    let setting = try Setting(Self.values(3))
    setting.pump.start(.every, pace: .consumption)
    setting.waitForFrames(3)
    try EventCounter.add(2, to: setting.done)
    while setting.pump.counts.consumed < 2 { usleep(500) }
    #expect(try !isReadable(setting.pump.ended))
    try EventCounter.add(1, to: setting.done)
    _ = try Poller.wait([(setting.pump.ended.rawValue, .readable)])
    #expect(setting.pump.ending == .sourceEnded)
  }

  @Test func `a pause holds from the moment on, and a start after it goes on with the next frame`() throws {
    let setting = try Setting(Self.pattern())
    setting.pump.start(.latest)
    setting.waitForFrames(5)
    setting.pump.pause()
    let held = setting.ring.published
    usleep(20_000)
    #expect(setting.ring.published == held)
    setting.pump.start(.every)
    setting.waitForFrames(held + 4)
    usleep(20_000)
    #expect(setting.ring.published == held + 4)
    #expect(setting.frame(held + 1) == (held + 1, held + 1))
    try EventCounter.add(1, to: setting.done)
    setting.waitForFrames(held + 5)
  }

  @Test func `a failing source ends the pump with its error`() throws {
    let bytes = Array("YUV4MPEG2 W2 H2\nFRAME\n123456FRAME\n1".utf8)
    let file = try MemoryFile.makeSealed(name: "cut", bytes: bytes)
    let setting = try Setting(FrameSourceOpener.open(file, name: "cut.y4m", stop: StopSignal()))
    setting.pump.start(.latest)
    _ = try Poller.wait([(setting.pump.ended.rawValue, .readable)])
    let fault = Y4MFault.frameTruncated(frame: 2, bytes: 1, needed: 6)
    #expect(setting.pump.ending == .failed(FrameSourceError("cut.y4m", .stream(fault, byte: 35))))
    #expect(setting.ring.published == 1)
  }

  @Test func `a stop ends the waiting for a pipe that nobody writes to`() throws {
    let pipe = try Pipe.make()
    try pipe.writeEnd.writeAll(Array("YUV4MPEG2 W2 H2\n".utf8))
    let source = try FrameSourceOpener.open(pipe.readEnd.duplicate(), name: "pipe", stop: StopSignal())
    let setting = try Setting(source)
    setting.pump.start(.latest)
    usleep(5000)
    setting.pump.stop()
    #expect(setting.pump.ending == .stopped)
  }

  @Test func `frames of limited range are in the ring with the full one`() throws {
    let setting = try Setting(Self.values(17, "W2 H2 F1000:1"))
    setting.pump.start(.latest)
    _ = try Poller.wait([(setting.pump.ended.rawValue, .readable)])
    let start = setting.ring.geometry.offset(ofSlot: setting.ring.geometry.slot(ofFrame: 17))
    #expect(Array(setting.mapping.bytes[(start + 64)..<(start + 70)]) == [0, 0, 0, 0, 0, 0])
  }

  @Test func `an extension that lies about what it finished with gains nothing`() throws {
    let setting = try Setting(Self.pattern())
    try EventCounter.add(1 << 62, to: setting.done)
    setting.pump.start(.every)
    setting.waitForFrames(4)
    try EventCounter.add(1 << 62, to: setting.done)
    setting.waitForFrames(8)
    usleep(20_000)
    let counts = setting.pump.counts
    #expect(counts.produced == 8 && counts.consumed == 4 && counts.dropped == 0)
  }

  @Test func `an extension that makes the counters wait and fills them cannot hold the host`() throws {
    let setting = try Setting(Self.pattern())
    for descriptor in [setting.event.rawValue, setting.done.rawValue] {
      #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) == 0)
    }
    try EventCounter.add(UInt64.max - 1, to: setting.event)
    setting.pump.start(.latest)
    setting.waitForFrames(20)
    setting.pump.stop()
    #expect(setting.pump.ending == .stopped)
  }
}
