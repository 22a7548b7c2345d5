// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
internal import Synchronization

/// A ring for the frames of a camera. Its descriptor is passed to the extension under the name `frames`.
package typealias FrameRing = CaptureRing<FrameRingGeometry>

/// The writer's side of a ring of any kind: a sealed memory file that only this mapping can write to.
///
/// One thread at a time writes, and it never waits for a reader. Here, a frame is the content of a slot of
/// any kind of ring.
package final class CaptureRing<Geometry: RingGeometry>: Sendable {
  /// The layout of the slots.
  package let geometry: Geometry
  /// The memory file for the extension, opened read-only.
  package let descriptor: Descriptor
  /// The lead of the reader's clock over the writer's clock, in nanoseconds.
  private let clockOffset: Atomic<Int64>
  /// The memory of the ring.
  private let mapping: Mapping
  /// The number of published frames.
  private let count = Atomic<UInt64>(0)

  /// Creates a ring from the objects that ``make(_:)`` prepared.
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

  /// Creates a ring without a frame.
  ///
  /// `clockOffset` is the lead of the reader's `CLOCK_MONOTONIC` over that of this process, in nanoseconds.
  /// Published timestamps are in the reader's time.
  package static func make(
    _ geometry: Geometry,
    clockOffset: Int64 = 0
  ) throws(SystemCallError) -> CaptureRing {
    let file = try MemoryFile.make(name: Geometry.memoryName, size: geometry.totalBytes)
    let mapping = try Mapping(file, length: geometry.totalBytes, .readWrite)
    mapping.bytes.copyBytes(from: geometry.header)
    // The seal must follow the mapping: after `F_SEAL_FUTURE_WRITE`, the kernel creates no other writable
    // one.
    try MemoryFile.seal(file, [.shrink, .grow, .futureWrite, .seal])
    // A second open file description: the extension shares neither write access nor a file offset with the
    // host.
    let readOnly = try FileSystem.open("/proc/self/fd/\(file.rawValue)", .read)
    return CaptureRing(geometry: geometry, clockOffset: clockOffset, descriptor: readOnly, mapping: mapping)
  }

  /// Publishes timestamps in the writer's own time from the next frame on, because the reader turned out to
  /// have the same clock.
  package func useWriterClock() { clockOffset.store(0, ordering: .relaxed) }

  /// The sequence number of the newest frame, or 0 before the first.
  package var published: UInt64 { count.load(ordering: .acquiring) }

  /// Returns the slot of the next frame and marks it as changing.
  ///
  /// From this call on, readers cannot read the frame that the slot contained. A second call without
  /// publishing returns the same slot.
  package func beginFrame() -> UnsafeMutableRawBufferPointer {
    let slot = slotBytes(published + 1)
    SharedWord(in: slot, at: RingLayout.Slot.sequence).storeBeforeData(0)
    return slot
  }

  /// Faults in the pages of the next frame's slot in advance: faulting in the pages of a large frame takes
  /// longer than writing its pixels.
  package func prefaultSlot() {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: published + 1))
    mapping.populate(start..<(start + geometry.slotStride))
  }

  /// The lead of the reader's clock over the writer's clock, in nanoseconds.
  package var readerClockLead: Int64 { clockOffset.load(ordering: .relaxed) }

  /// Publishes the frame in progress with its capture time on the writer's clock, and returns its sequence
  /// number.
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

  /// Stores a time of the writer's clock, converted to the reader's clock.
  private func stamp(_ moment: UInt64, _ slot: UnsafeMutableRawBufferPointer, _ place: Int) {
    let time = moment &+ UInt64(bitPattern: readerClockLead)
    slot.storeBytes(of: time.littleEndian, toByteOffset: place, as: UInt64.self)
  }

  /// Erases every frame, including the one in progress: the reader of the ring has lost its permission to see
  /// any of them.
  package func erase() {
    for index in 0..<geometry.slots {
      let start = geometry.offset(ofSlot: index)
      let slot = mapping.bytes.part(start..<(start + geometry.slotStride))
      SharedWord(in: slot, at: RingLayout.Slot.sequence).storeBeforeData(0)
      _ = slot.initializeMemory(as: UInt8.self, repeating: 0)
    }
  }

  /// Reads a published frame in this process while the writer may overwrite or erase the frame.
  ///
  /// - Parameters:
  ///   - sequence: The sequence number of the frame, counted from 1.
  ///   - body: Copies what the caller needs out of the slot. It must accept any bytes, because the slot can
  ///     change meanwhile.
  /// - Returns: The result of `body`, or `nil` if the slot did not contain the frame until the end of the copy.
  package func read<Result>(_ sequence: UInt64, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    let slot = slotBytes(sequence)
    let word = SharedWord(in: slot, at: RingLayout.Slot.sequence)
    guard UInt64(littleEndian: word.load()) == sequence else { return nil }
    let result = body(UnsafeRawBufferPointer(slot))
    return UInt64(littleEndian: word.loadAfterData()) == sequence ? result : nil
  }

  /// Returns the slot of a frame.
  private func slotBytes(_ sequence: UInt64) -> UnsafeMutableRawBufferPointer {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    return mapping.bytes.part(start..<(start + geometry.slotStride))
  }
}
