// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// The reader's side of the ring in which an extension draws its viewfinder.
///
/// Whatever is in it is the extension's word. Only the pixels and two counters are looked at; sizes and places are
/// those that the host has laid the ring out with, and the file can be made neither shorter nor longer, so that no
/// access can fail. A frame that changes while it is copied is no frame.
package final class PreviewRing {
  /// The size of the frames and where their pixels are.
  package let geometry: FrameRingGeometry
  /// The file as the extension gets it, to read and write. Give it away under the name `preview`.
  package let descriptor: Descriptor
  private let mapping: Mapping
  /// The frame that was taken last.
  private var last: UInt64 = 0

  private init(
    geometry: FrameRingGeometry,
    descriptor: consuming Descriptor,
    mapping: consuming Mapping
  ) {
    self.geometry = geometry
    self.descriptor = descriptor
    self.mapping = mapping
  }

  /// Makes a ring without a frame.
  package static func make(_ geometry: FrameRingGeometry) throws(SystemCallError) -> PreviewRing {
    let file = try MemoryFile.makeWritable(name: "darkroom-preview", size: geometry.totalBytes)
    try file.writeAll(geometry.header)
    try MemoryFile.seal(file, [.shrink, .grow, .seal])
    let mapping = try Mapping(file, length: geometry.totalBytes, .read)
    return PreviewRing(geometry: geometry, descriptor: file, mapping: mapping)
  }

  /// The pixels of the newest frame, as one run of bytes; nil if there is none that was not taken before, or it is
  /// being written.
  package func takeNewest() -> [UInt8]? {
    let published = SharedWord(in: mapping.bytes, at: FrameRingLayout.Header.published)
    let newest = UInt64(littleEndian: published.load())
    guard newest > 0, newest != last else { return nil }
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: newest))
    let slot = mapping.bytes.part(start..<(start + geometry.slotStride))
    let sequence = SharedWord(in: slot, at: FrameRingLayout.Slot.sequence)
    guard UInt64(littleEndian: sequence.load()) == newest else { return nil }
    let pixels = Array(UnsafeRawBufferPointer(slot.part(geometry.pixelRange)))
    guard UInt64(littleEndian: sequence.loadAfterData()) == newest else { return nil }
    last = newest
    return pixels
  }
}

extension FrameRingGeometry {
  /// Where the pixels of a frame are in its slot; the planes of a ring that was laid out here follow without gaps.
  fileprivate var pixelRange: Range<Int> { (planes.first?.offset ?? 0)..<(planes.last?.end ?? 0) }
}
