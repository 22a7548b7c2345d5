// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// A read-only observer of a viewfinder ring in another process. It communicates neither with the extension
/// nor with its host.
///
/// The extension controls everything in the ring; sizes and offsets are those that the host reported.
package final class PreviewObserver {
  /// The size of the frames and the offsets of their planes.
  package let geometry: FrameRingGeometry
  private let mapping: Mapping

  /// The maximum number of attempts to copy a frame that is not overwritten during the copy.
  private static let attempts = 16

  /// Maps a ring that a host laid out with this geometry, or returns `nil` if the file is too small or could
  /// be made smaller.
  package init?(_ descriptor: borrowing Descriptor, _ geometry: FrameRingGeometry) throws(SystemCallError) {
    guard try descriptor.status().size >= Int64(geometry.totalBytes),
      try MemoryFile.seals(descriptor).contains(.shrink)
    else { return nil }
    self.geometry = geometry
    mapping = try Mapping(descriptor, length: geometry.totalBytes, .read)
  }

  /// A copy of a frame.
  package struct Still: Sendable {
    /// The pixels, plane after plane, without gaps between rows and planes.
    package let pixels: [UInt8]
    /// The sequence number, counted from 1.
    package let sequence: UInt64
    /// The capture time in nanoseconds of the extension's clock, as reported by the extension.
    package let timestamp: UInt64
  }

  /// The result of copying the newest frame.
  package enum Newest: Sendable {
    /// Nothing was drawn yet.
    case none
    /// An intact frame.
    case still(Still)
    /// The extension overwrites its frames faster than they can be copied, or publishes wrong numbers.
    case contended
  }

  /// Copies the newest frame.
  package func newest() -> Newest {
    for _ in 0..<Self.attempts {
      let sequence = published
      guard sequence > 0 else { return .none }
      let slot = slot(of: sequence)
      guard slotContains(slot, sequence) else { continue }
      let bytes = UnsafeRawBufferPointer(slot)
      let time = bytes.loadUnaligned(fromByteOffset: FrameRingLayout.Slot.timestamp, as: UInt64.self)
      let pixels = Array(bytes.part(geometry.pixels))
      guard slotContains(slot, sequence) else { continue }
      return .still(Still(pixels: pixels, sequence: sequence, timestamp: UInt64(littleEndian: time)))
    }
    return .contended
  }

  /// Returns the pixels of a frame in place. The caller must know that the host holds the frame.
  package func pixels(ofFrame sequence: UInt64) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(slot(of: max(1, sequence))).part(geometry.pixels)
  }

  /// The sequence number of the newest frame, as reported by the extension. The load has acquire ordering, so
  /// that the pixels of that frame are visible after it.
  private var published: UInt64 {
    UInt64(littleEndian: SharedWord(in: mapping.bytes, at: FrameRingLayout.Header.published).load())
  }

  private func slot(of sequence: UInt64) -> UnsafeMutableRawBufferPointer {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    return mapping.bytes.part(start..<(start + geometry.slotStride))
  }

  /// Whether a slot contains a frame. The load is ordered after all preceding reads.
  private func slotContains(_ slot: UnsafeMutableRawBufferPointer, _ sequence: UInt64) -> Bool {
    UInt64(littleEndian: SharedWord(in: slot, at: FrameRingLayout.Slot.sequence).loadAfterData()) == sequence
  }
}
