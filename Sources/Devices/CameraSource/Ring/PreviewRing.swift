// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives
internal import Synchronization

/// The reader's side of the ring in which an extension draws its viewfinder.
///
/// Whatever is in it is the extension's word. Only the pixels and two counters are looked at; sizes and places are
/// those that the host has laid the ring out with, and the file can be made neither shorter nor longer, so that no
/// access can fail. A frame is looked at where it was drawn; the ring says which one that is, and an extension that
/// keeps to the protocol leaves it alone meanwhile. One that does not spoils its own viewfinder and nothing else: pixels
/// have no meaning that could be wrong.
package final class PreviewRing {
  /// The size of the frames and where their pixels are.
  package let geometry: FrameRingGeometry
  /// The file as the extension gets it, to read and write. Give it away under the name `preview`.
  package let descriptor: Descriptor
  /// All of the ring, to read.
  private let mapping: Mapping
  /// Its header, to write the one word in it that is the host's. It is never read back.
  private let header: Mapping
  /// The frame that was held last.
  private var last: UInt64 = 0
  /// Whether it is held.
  private var isHolding = false

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

  /// Makes a ring without a frame, which has at least ``FrameRingLayout/fewestPreviewSlots``.
  package static func make(_ geometry: FrameRingGeometry) throws(SystemCallError) -> PreviewRing {
    precondition(geometry.slots >= FrameRingLayout.fewestPreviewSlots, "a viewfinder with too few slots")
    let file = try MemoryFile.makeWritable(name: "darkroom-preview", size: geometry.totalBytes)
    try file.writeAll(geometry.header)
    try MemoryFile.seal(file, [.shrink, .grow, .seal])
    let mapping = try Mapping(file, length: geometry.totalBytes, .read)
    let header = try Mapping(file, length: FrameRingLayout.headerBytes, .readWrite)
    return PreviewRing(geometry: geometry, descriptor: file, mapping: mapping, header: header)
  }

  /// A frame of the viewfinder where the extension has drawn it.
  package struct Frame {
    /// The pixels, as one run of bytes. The extension can change them at any time; a copy is needed where that matters.
    package let pixels: UnsafeRawBufferPointer
    /// When the camera took the frame, in nanoseconds of the extension's clock. It is the extension's word.
    package let timestamp: UInt64
    /// Its number, counted from 1.
    package let sequence: UInt64
  }

  /// Holds the newest frame, and lets go of the one before; nil if there is none that was not held before, or it is not
  /// where it should be.
  package func hold() -> Frame? {
    letGo()
    // Who shows frames faster than one can be held is not waited for.
    for _ in 0..<8 {
      let newest = published
      guard newest > 0, newest != last else { return nil }
      if let frame = hold(newest) { return frame }
    }
    return nil
  }

  /// Holds the frame with this number, above 0, if it is the newest.
  ///
  /// Both sides say what they do before they look at what the other does: this one writes `held` and then reads
  /// `published`; the extension writes `published` and then, before it draws into the slot of an older frame, reads
  /// `held`. With a full fence between the two on each side, one of them sees the other. Either the extension sees that
  /// the frame is held, or it is seen here that the frame is not the newest any more. The slot of the newest is never
  /// drawn into, so that what is held and is the newest stays as it is.
  package func hold(_ sequence: UInt64) -> Frame? {
    held.store(sequence.littleEndian)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let slot = slotBytes(sequence)
    // The second is no matter of order: that something else is in the slot is a lie.
    guard published == sequence, isIn(slot, sequence) else {
      held.store(0)
      return nil
    }
    isHolding = true
    last = sequence
    let bytes = UnsafeRawBufferPointer(slot)
    let time = bytes.loadUnaligned(fromByteOffset: FrameRingLayout.Slot.timestamp, as: UInt64.self)
    return Frame(
      pixels: bytes.part(geometry.pixelRange),
      timestamp: UInt64(littleEndian: time),
      sequence: sequence
    )
  }

  /// Whether everything that was read of a frame so far is what was drawn.
  package func isIntact(_ frame: Frame) -> Bool { isIn(slotBytes(frame.sequence), frame.sequence) }

  /// The extension may draw over the frame that was held.
  package func letGo() {
    guard isHolding else { return }
    isHolding = false
    held.store(0)
  }

  /// The pixels of the newest frame, as one run of bytes that nobody else can change; nil if there is none that was not
  /// taken before, or it was changed meanwhile.
  package func takeNewest() -> [UInt8]? {
    guard let frame = hold() else { return nil }
    defer { letGo() }
    let pixels = Array(frame.pixels)
    return isIntact(frame) ? pixels : nil
  }

  /// The number of the newest frame, as the extension says; what it drew before is visible after this.
  private var published: UInt64 {
    UInt64(littleEndian: SharedWord(in: mapping.bytes, at: FrameRingLayout.Header.published).load())
  }

  /// Where the host says what it holds.
  private var held: SharedWord { SharedWord(in: header.bytes, at: FrameRingLayout.Header.held) }

  /// The slot of a frame.
  private func slotBytes(_ sequence: UInt64) -> UnsafeMutableRawBufferPointer {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    return mapping.bytes.part(start..<(start + geometry.slotStride))
  }

  /// Whether a slot has a frame, after everything that was read before.
  private func isIn(_ slot: UnsafeMutableRawBufferPointer, _ sequence: UInt64) -> Bool {
    UInt64(littleEndian: SharedWord(in: slot, at: FrameRingLayout.Slot.sequence).loadAfterData()) == sequence
  }
}

extension FrameRingGeometry {
  /// Where the pixels of a frame are in its slot; the planes of a ring that was laid out here follow without gaps.
  fileprivate var pixelRange: Range<Int> { (planes.first?.offset ?? 0)..<(planes.last?.end ?? 0) }
}
