// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import Testing

@Suite final class PreviewRingTests {
  let ring: PreviewRing
  /// The ring as the extension has it.
  let memory: Mapping

  init() throws {
    ring = try PreviewRing.make(FrameGeometry(width: 64, height: 32).ringGeometry())
    memory = try Mapping(ring.descriptor, length: ring.geometry.totalBytes, .readWrite)
  }

  /// Writes a frame as an extension does, or says that it has.
  private func write(_ value: UInt8, sequence: UInt64, slot: Int, published: UInt64) {
    let start = ring.geometry.offset(ofSlot: slot)
    for index in (start + 64)..<(start + ring.geometry.slotStride) { memory.bytes[index] = value }
    SharedWord(in: memory.bytes, at: start + FrameRingLayout.Slot.sequence).store(sequence.littleEndian)
    SharedWord(in: memory.bytes, at: FrameRingLayout.Header.published).store(published.littleEndian)
  }

  @Test func `each frame is taken once, and only its pixels`() {
    #expect(ring.takeNewest() == nil)
    write(7, sequence: 1, slot: 0, published: 1)
    #expect(ring.takeNewest() == [UInt8](repeating: 7, count: 64 * 32 * 3 / 2))
    #expect(ring.takeNewest() == nil)
    write(8, sequence: 6, slot: 1, published: 6)
    #expect(ring.takeNewest()?.first == 8)
  }

  @Test(
    arguments: [
      (0, 0, 0), (2, 0, 1), (.max, 2, 1), (0, 2, .max), (5, 3, 5),
    ] as [(UInt64, Int, UInt64)]
  )
  func `a frame that is not the one it says is none`(sequence: UInt64, slot: Int, published: UInt64) {
    write(7, sequence: sequence, slot: slot, published: published)
    #expect(ring.takeNewest() == nil)
  }

  @Test func `the header is not believed`() {
    for index in 0..<128 { memory.bytes[index] = 0xFF }
    write(7, sequence: 3, slot: 2, published: 3)
    #expect(ring.takeNewest()?.count == 64 * 32 * 3 / 2)
  }

  @Test func `nobody can change its size, or run what is in it`() throws {
    let raw = ring.descriptor.rawValue
    #expect(ftruncate(raw, 0) == -1 && errno == EPERM)
    #expect(ftruncate(raw, 1 << 30) == -1 && errno == EPERM)
    #expect(try ring.descriptor.status().permissions & 0o111 == 0)
    #expect(try MemoryFile.seals(ring.descriptor).isSuperset(of: [.seal, .shrink, .grow]))
  }
}
