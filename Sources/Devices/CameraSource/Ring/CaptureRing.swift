// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
internal import Synchronization

/// The ring of a camera's frames. Give it away under the name `frames`.
package typealias FrameRing = CaptureRing<FrameRingGeometry>

/// The writer's side of a ring of any kind: a sealed memory file that only this mapping can write to.
///
/// One thread at a time writes; nothing here waits for a reader. A frame is here whatever the kind of ring has in a slot.
package final class CaptureRing<Geometry: RingGeometry>: Sendable {
  /// What is in a slot and where.
  package let geometry: Geometry
  /// The file as the extension gets it: opened for reading only.
  package let descriptor: Descriptor
  /// By how many nanoseconds the reader's clock is ahead of the writer's.
  private let clockOffset: Atomic<Int64>
  /// The ring's memory.
  private let mapping: Mapping
  /// How many frames were published.
  private let count = Atomic<UInt64>(0)

  /// Keeps what ``make(_:)`` prepared.
  private init(
    geometry: Geometry,
    clockOffset: Int64,
    descriptor: consuming Descriptor,
    mapping: consuming Mapping
  ) {
    self.geometry = geometry
    self.clockOffset = Atomic(clockOffset)
    self.descriptor = descriptor
    self.mapping = mapping
  }

  /// Makes a ring without a frame. `clockOffset` is by how many nanoseconds the reader's `CLOCK_MONOTONIC` is ahead of
  /// this process's; what is published carries the reader's time.
  package static func make(
    _ geometry: Geometry,
    clockOffset: Int64 = 0
  ) throws(SystemCallError) -> CaptureRing {
    let file = try MemoryFile.make(name: Geometry.memoryName, size: geometry.totalBytes)
    let mapping = try Mapping(file, length: geometry.totalBytes, .readWrite)
    mapping.bytes.copyBytes(from: geometry.header)
    // Only after the mapping is there: from this seal on the kernel makes no other that can be written.
    try MemoryFile.seal(file, [.shrink, .grow, .futureWrite, .seal])
    // A second open file, so that the extension shares neither the right to write nor an offset with the host.
    let readOnly = try FileSystem.open("/proc/self/fd/\(file.rawValue)", .read)
    return CaptureRing(geometry: geometry, clockOffset: clockOffset, descriptor: readOnly, mapping: mapping)
  }

  /// From the next frame on, what is published carries the writer's own time: the reader turned out to have its clock.
  package func useWritersClock() { clockOffset.store(0, ordering: .relaxed) }

  /// The sequence of the newest frame, 0 before the first.
  package var published: UInt64 { count.load(ordering: .acquiring) }

  /// Takes the slot of the next frame and marks it as changing.
  ///
  /// The frame that was in it is gone for readers from here on. Beginning again without publishing gives the same
  /// slot.
  package func beginFrame() -> UnsafeMutableRawBufferPointer {
    let slot = slotBytes(published + 1)
    SharedWord(in: slot, at: RingLayout.Slot.sequence).storeBeforeData(0)
    return slot
  }

  /// Has the memory of the next frame's slot at hand before there is something to be written there: the pages of a large frame
  /// take longer than its pixels.
  package func provideSlot() {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: published + 1))
    mapping.populate(start..<(start + geometry.slotStride))
  }

  /// By how many nanoseconds the reader's clock is ahead of the writer's.
  package var readersLead: Int64 { clockOffset.load(ordering: .relaxed) }

  /// Makes the frame that was begun the newest; `timestamp` is the moment of the writer at which it was taken. Returns
  /// its sequence.
  @discardableResult
  package func publish(timestamp: UInt64 = MonotonicClock.now) -> UInt64 {
    let sequence = published + 1
    let slot = slotBytes(sequence)
    stamp(timestamp, slot, RingLayout.Slot.timestamp)
    stamp(MonotonicClock.now, slot, RingLayout.Slot.published)
    SharedWord(in: slot, at: RingLayout.Slot.sequence).store(sequence.littleEndian)
    SharedWord(in: mapping.bytes, at: RingLayout.Header.published).store(sequence.littleEndian)
    count.store(sequence, ordering: .releasing)
    return sequence
  }

  /// Notes a moment of the writer in the reader's time.
  private func stamp(_ moment: UInt64, _ slot: UnsafeMutableRawBufferPointer, _ place: Int) {
    let time = moment &+ UInt64(bitPattern: readersLead)
    slot.storeBytes(of: time.littleEndian, toByteOffset: place, as: UInt64.self)
  }

  /// Makes every frame unreadable, also the one that was begun: whoever reads the ring may see none of them any more.
  package func erase() {
    for index in 0..<geometry.slots {
      let start = geometry.offset(ofSlot: index)
      let slot = mapping.bytes.part(start..<(start + geometry.slotStride))
      SharedWord(in: slot, at: RingLayout.Slot.sequence).storeBeforeData(0)
      _ = slot.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }

  /// The slot of a frame.
  private func slotBytes(_ sequence: UInt64) -> UnsafeMutableRawBufferPointer {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    return mapping.bytes.part(start..<(start + geometry.slotStride))
  }
}
