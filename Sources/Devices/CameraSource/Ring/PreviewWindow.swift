// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// Another process's look at the ring in which an extension draws its viewfinder: to read alone, and without a word to
/// the extension or to its host.
///
/// As for the host, whatever is in the ring is the extension's word: sizes and places are those that the host has said.
package final class PreviewWindow {
  /// The size of the frames and where their pixels are.
  package let geometry: FrameRingGeometry
  private let mapping: Mapping

  /// How often a frame is looked for that nobody draws over meanwhile.
  private static let attempts = 16

  /// Maps the ring that a host has laid out so; nil if the file is not as large, or could be made smaller.
  package init?(_ descriptor: borrowing Descriptor, _ geometry: FrameRingGeometry) throws(SystemCallError) {
    guard try descriptor.status().size >= Int64(geometry.totalBytes),
      try MemoryFile.seals(descriptor).contains(.shrink)
    else { return nil }
    self.geometry = geometry
    mapping = try Mapping(descriptor, length: geometry.totalBytes, .read)
  }

  /// A copy of a frame.
  package struct Still: Sendable {
    /// The pixels, plane after plane, rows and planes without gaps.
    package let pixels: [UInt8]
    /// Its number, counted from 1.
    package let sequence: UInt64
    /// When the camera took it, in nanoseconds of the extension's clock. It is the extension's word.
    package let timestamp: UInt64
  }

  /// What is newest in the ring.
  package enum Newest: Sendable {
    /// Nothing was drawn yet.
    case none
    /// A whole frame.
    case still(Still)
    /// The extension draws over its frames faster than they can be copied, or says what is not so.
    case unsteady
  }

  /// Copies the newest frame.
  package func newest() -> Newest {
    for _ in 0..<Self.attempts {
      let sequence = published
      guard sequence > 0 else { return .none }
      let slot = slot(of: sequence)
      guard isIn(slot, sequence) else { continue }
      let bytes = UnsafeRawBufferPointer(slot)
      let time = bytes.loadUnaligned(fromByteOffset: FrameRingLayout.Slot.timestamp, as: UInt64.self)
      let pixels = Array(bytes.part(geometry.pixels))
      guard isIn(slot, sequence) else { continue }
      return .still(Still(pixels: pixels, sequence: sequence, timestamp: UInt64(littleEndian: time)))
    }
    return .unsteady
  }

  /// The pixels of a frame where they were drawn; whoever asks knows that the host holds it.
  package func pixels(ofFrame sequence: UInt64) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(slot(of: max(1, sequence))).part(geometry.pixels)
  }

  /// The number of the newest frame, as the extension says; what it drew before is visible after this.
  private var published: UInt64 {
    UInt64(littleEndian: SharedWord(in: mapping.bytes, at: FrameRingLayout.Header.published).load())
  }

  private func slot(of sequence: UInt64) -> UnsafeMutableRawBufferPointer {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    return mapping.bytes.part(start..<(start + geometry.slotStride))
  }

  /// Whether a slot has a frame, after everything that was read before.
  private func isIn(_ slot: UnsafeMutableRawBufferPointer, _ sequence: UInt64) -> Bool {
    UInt64(littleEndian: SharedWord(in: slot, at: FrameRingLayout.Slot.sequence).loadAfterData()) == sequence
  }
}
