// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
internal import Synchronization

/// The reader's side of the ring in which an extension draws its viewfinder.
///
/// The extension controls everything in the ring. The host therefore reads only the pixels and two counters.
/// Sizes and offsets are those with which the host laid out the ring, and the size of the file is sealed, so
/// that no access can fault.
///
/// A frame is read in place. The ring names the frame that the host holds, and an extension that follows the
/// protocol does not overwrite that frame. An extension that overwrites it corrupts only its own viewfinder:
/// pixels carry no meaning that could be wrong.
package final class PreviewRing {
  /// The size of the frames and the offsets of their planes.
  package let geometry: FrameRingGeometry
  /// The memory file for the extension, opened for reading and writing. It is passed under the name
  /// `preview`.
  package let descriptor: Descriptor
  /// A read-only mapping of the ring.
  private let mapping: Mapping
  /// A writable mapping of the header, for the single word that the host writes. The host never reads it
  /// back.
  private let header: Mapping
  /// The sequence number of the frame that was held last.
  private var last: UInt64 = 0
  /// Whether that frame is still held.
  private var isHeld = false

  private init(
    geometry: FrameRingGeometry,
    descriptor: consuming Descriptor,
    mapping: consuming Mapping,
    header: consuming Mapping
  ) {
    self.geometry = geometry
    self.descriptor = descriptor
    self.mapping = mapping
    self.header = header
  }

  /// Creates a ring without a frame. It must have at least ``FrameRingLayout/fewestPreviewSlots`` slots.
  package static func make(_ geometry: FrameRingGeometry) throws(SystemCallError) -> PreviewRing {
    precondition(geometry.slots >= FrameRingLayout.fewestPreviewSlots, "the viewfinder has too few slots")
    let file = try MemoryFile.makeWritable(name: "darkroom-preview", size: geometry.totalBytes)
    try file.writeAll(geometry.header)
    try MemoryFile.seal(file, [.shrink, .grow, .seal])
    let mapping = try Mapping(file, length: geometry.totalBytes, .read)
    let header = try Mapping(file, length: FrameRingLayout.headerBytes, .readWrite)
    return PreviewRing(geometry: geometry, descriptor: file, mapping: mapping, header: header)
  }

  /// A frame of the viewfinder, in the memory where the extension drew it.
  package struct Frame {
    /// The pixels, as one run of bytes. The extension can change them at any time; copy them where that
    /// matters.
    package let pixels: UnsafeRawBufferPointer
    /// The capture time of the frame in nanoseconds of the extension's clock, as reported by the extension.
    package let timestamp: UInt64
    /// The sequence number, counted from 1.
    package let sequence: UInt64
  }

  /// Holds the newest frame and releases the previous one. Returns `nil` if there is no frame that was not
  /// held before, or if the slot does not contain the frame.
  package func hold() -> Frame? {
    release()
    // The number of attempts is limited: an extension can publish frames faster than one can be held.
    for _ in 0..<8 {
      let newest = published
      guard newest > 0, newest != last else { return nil }
      if let frame = hold(newest) { return frame }
    }
    return nil
  }

  /// Holds the frame with this sequence number, above 0, if it is the newest.
  ///
  /// Each side announces its action before it reads the other side's state. The host writes `held` and then
  /// reads `published`. The extension writes `published` and reads `held` before it draws into the slot of an
  /// older frame. With a full fence between the two steps on each side, at least one side sees the other.
  /// Either the extension sees that the frame is held, or the host sees that the frame is not the newest. The
  /// extension never draws into the slot of the newest frame, so that a held newest frame does not change.
  package func hold(_ sequence: UInt64) -> Frame? {
    held.store(sequence.littleEndian)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let slot = slotBytes(sequence)
    // The second check does not depend on memory ordering: a slot with another frame means that the extension
    // published a wrong number.
    guard published == sequence, slotContains(slot, sequence) else {
      held.store(0)
      return nil
    }
    isHeld = true
    last = sequence
    let bytes = UnsafeRawBufferPointer(slot)
    let time = bytes.loadUnaligned(fromByteOffset: FrameRingLayout.Slot.timestamp, as: UInt64.self)
    return Frame(
      pixels: bytes.part(geometry.pixelRange),
      timestamp: UInt64(littleEndian: time),
      sequence: sequence
    )
  }

  /// Whether the slot still contains the frame, so that everything read so far belongs to that frame.
  package func isIntact(_ frame: Frame) -> Bool { slotContains(slotBytes(frame.sequence), frame.sequence) }

  /// Releases the held frame, so that the extension can overwrite it.
  package func release() {
    guard isHeld else { return }
    isHeld = false
    held.store(0)
  }

  /// Returns a copy of the newest frame's pixels, or `nil` if there is no new frame or it was changed during
  /// the copy.
  package func copyNewest() -> [UInt8]? {
    guard let frame = hold() else { return nil }
    defer { release() }
    let pixels = Array(frame.pixels)
    return isIntact(frame) ? pixels : nil
  }

  /// The sequence number of the newest frame, as reported by the extension. The load has acquire ordering, so
  /// that the pixels of that frame are visible after it.
  private var published: UInt64 {
    UInt64(littleEndian: SharedWord(in: mapping.bytes, at: FrameRingLayout.Header.published).load())
  }

  /// The word in which the host reports the frame that it holds.
  private var held: SharedWord { SharedWord(in: header.bytes, at: FrameRingLayout.Header.held) }

  /// Returns the slot of a frame.
  private func slotBytes(_ sequence: UInt64) -> UnsafeMutableRawBufferPointer {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    return mapping.bytes.part(start..<(start + geometry.slotStride))
  }

  /// Whether a slot contains a frame. The load is ordered after all preceding reads.
  private func slotContains(_ slot: UnsafeMutableRawBufferPointer, _ sequence: UInt64) -> Bool {
    UInt64(littleEndian: SharedWord(in: slot, at: FrameRingLayout.Slot.sequence).loadAfterData()) == sequence
  }
}

extension FrameRingGeometry {
  /// The byte range of a frame's pixels in its slot. The planes of a ring that the host laid out follow each
  /// other without gaps.
  fileprivate var pixelRange: Range<Int> { (planes.first?.offset ?? 0)..<(planes.last?.end ?? 0) }
}
