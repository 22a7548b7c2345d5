// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import TestSupport
import Testing

@Suite final class PreviewRingTests {
  let ring: PreviewRing
  /// The ring as the extension maps it.
  let memory: Mapping

  init() throws {
    ring = try PreviewRing.make(FrameGeometry(width: 64, height: 32).ringGeometry())
    memory = try Mapping(ring.descriptor, length: ring.geometry.totalBytes, .readWrite)
  }

  /// Writes a frame as an extension does, including with inconsistent values.
  private func write(_ value: UInt8, sequence: UInt64, slot: Int, published: UInt64) {
    let start = ring.geometry.offset(ofSlot: slot)
    for index in (start + 64)..<(start + ring.geometry.slotStride) { memory.bytes[index] = value }
    SharedWord(in: memory.bytes, at: start + FrameRingLayout.Slot.sequence).store(sequence.littleEndian)
    SharedWord(in: memory.bytes, at: FrameRingLayout.Header.published).store(published.littleEndian)
  }

  @Test func `holds each frame once, and only its pixels`() {
    #expect(ring.hold() == nil)
    write(7, sequence: 1, slot: 0, published: 1)
    #expect(ring.hold().map { Array($0.pixels) } == [UInt8](repeating: 7, count: 64 * 32 * 3 / 2))
    #expect(ring.hold() == nil)
    write(8, sequence: 6, slot: 1, published: 6)
    #expect(ring.hold()?.pixels.first == 8)
  }

  @Test(
    arguments: [
      (0, 0, 0), (2, 0, 1), (.max, 2, 1), (0, 2, .max), (5, 3, 5),
    ] as [(UInt64, Int, UInt64)]
  )
  func `rejects a frame whose sequence does not match its slot or the published sequence`(
    sequence: UInt64,
    slot: Int,
    published: UInt64
  ) {
    write(7, sequence: sequence, slot: slot, published: published)
    #expect(ring.hold() == nil)
    #expect(held == 0)
  }

  @Test func `ignores a header that the extension has overwritten`() {
    for index in 0..<128 { memory.bytes[index] = 0xFF }
    write(7, sequence: 3, slot: 2, published: 3)
    let pixels = 64 * 32 * 3 / 2
    #expect(ring.hold()?.pixels.count == pixels)
  }

  /// The field in which the host announces the frame that it shows.
  private var held: UInt64 { SharedWord(in: memory.bytes, at: 136).load() }

  @Test func `does not hold a frame that is no longer the newest, even if it is still in its slot`() throws {
    for number in 1...4 {
      write(UInt8(number), sequence: UInt64(number), slot: number - 1, published: UInt64(number))
    }
    // The extension has already read the held sequence, and draws into this slot next.
    #expect(ring.hold(1) == nil)
    #expect(held == 0)
    #expect(try #require(ring.hold()).pixels[0] == 4)
  }

  @Test func `shows a frame without copying it, and announces its sequence to the extension`() throws {
    write(7, sequence: 2, slot: 1, published: 2)
    let frame = try #require(ring.hold())
    #expect(held == 2)
    #expect(frame.pixels.count == 64 * 32 * 3 / 2 && frame.pixels.allSatisfy { $0 == 7 })
    write(9, sequence: 3, slot: 2, published: 3)
    #expect(ring.isIntact(frame) && frame.pixels.allSatisfy { $0 == 7 })
    // The frame refers to the shared memory without a copy, so that later changes are visible.
    memory.bytes[ring.geometry.offset(ofSlot: 1) + 64] = 8
    #expect(frame.pixels[0] == 8)
    #expect(try #require(ring.hold()).pixels[0] == 9)
    #expect(held == 3)
    ring.release()
    #expect(held == 0)
    #expect(ring.hold() == nil && held == 0)
  }

  @Test func `detects that a frame was overwritten while it was shown`() throws {
    write(7, sequence: 1, slot: 0, published: 1)
    let frame = try #require(ring.hold())
    #expect(ring.isIntact(frame))
    write(8, sequence: 5, slot: 0, published: 5)
    #expect(!ring.isIntact(frame))
  }

  @Test
  func `reads only pixels of the ring while the extension overwrites the whole memory`()
    throws
  {
    let memory = UncheckedMemory(bytes: memory.bytes)
    let endFile = try MemoryFile.make(name: "over", size: 4096)
    let over = try Mapping(endFile, length: 4096, .readWrite)
    let end = SharedWord(in: over.bytes, at: 0)
    let scribbler = try PlainThread.start(name: "scribbler") {
      var noise: UInt64 = 1
      while end.load() == 0 {
        for offset in stride(from: 0, to: memory.bytes.count, by: 8) {
          noise = noise &* 6_364_136_223_846_793_005 &+ 1
          // Small values are likely to be valid sequences.
          let word = offset % 4096 == 0 || offset == 128 ? noise >> 61 : noise
          memory.bytes.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
        }
      }
    }
    var shown = 0
    let deadline = TestTimeout.deadline
    while shown < 50, MonotonicClock.now < deadline {
      guard let frame = ring.hold() else { continue }
      shown += 1
      #expect(frame.pixels.count == 64 * 32 * 3 / 2)
      // All pixels are readable, whatever the header contains.
      _ = frame.pixels.reduce(0) { $0 ^ $1 }
    }
    end.store(1)
    scribbler.join()
    #expect(shown > 0)
    #expect(ring.geometry == (try FrameGeometry(width: 64, height: 32).ringGeometry()))
  }

  @Test func `prevents resizing and execution of the memory file`() throws {
    let raw = ring.descriptor.rawValue
    #expect(ftruncate(raw, 0) == -1 && errno == EPERM)
    #expect(ftruncate(raw, 1 << 30) == -1 && errno == EPERM)
    #expect(try ring.descriptor.status().permissions & 0o111 == 0)
    #expect(try MemoryFile.seals(ring.descriptor).isSuperset(of: [.seal, .shrink, .grow]))
  }
}

/// Memory that a test thread overwrites. It is `@unchecked Sendable` because races on it are the subject of
/// the test.
private struct UncheckedMemory: @unchecked Sendable {
  /// The bytes. The mapping outlives the thread.
  let bytes: UnsafeMutableRawBufferPointer
}
