// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The writing end of the ring from which the host shows the viewfinder.
final class PreviewRingWriter {
  /// The size of the frames and the layout of their planes.
  var geometry: FrameRingGeometry { ring.geometry }
  private let ring: MappedRing
  private let event: Descriptor
  /// The sequence number of the last frame that was shown, or 0 before the first.
  private var last: UInt64 = 0

  private init(_ ring: consuming MappedRing, event: consuming Descriptor) {
    self.ring = ring
    self.event = event
  }

  /// Maps the ring of a preview channel; its frames must have the size of the camera's.
  static func open(
    _ channel: consuming PreviewChannel,
    like camera: FrameRingGeometry
  ) throws(ExtensionFailure) -> PreviewRingWriter {
    let ring = try MappedRing.map(channel.frames, .readWrite)
    let fewest = FrameRingLayout.fewestPreviewSlots
    guard ring.geometry.slots >= fewest else {
      throw .invalidFrameRing(
        .field(name: "preview slots", value: ring.geometry.slots, expected: "at least \(fewest)")
      )
    }
    guard ring.geometry.width == camera.width, ring.geometry.height == camera.height else {
      throw .invalidFrameRing(
        .field(
          name: "preview width",
          value: ring.geometry.width,
          expected: "the width of the camera's frames, \(camera.width)"
        )
      )
    }
    return PreviewRingWriter(ring, event: channel.frameEvent)
  }

  /// Draws the next frame and publishes it if the canvas is intact afterwards.
  ///
  /// A frame that is not published is overwritten by the next call.
  ///
  /// - Returns: Whether the frame was published.
  func show(
    timestamp: UInt64,
    _ draw: (inout PreviewCanvas) -> Void
  ) throws(ExtensionFailure) -> Bool {
    guard let (sequence, slot) = beginFrame(), let address = slot.baseAddress,
      let header = ring.mapping.bytes.baseAddress
    else { return false }
    slot.storeBytes(
      of: timestamp.littleEndian,
      toByteOffset: FrameRingLayout.Slot.timestamp,
      as: UInt64.self
    )
    var canvas = PreviewCanvas(slot, geometry)
    draw(&canvas)
    guard canvas.isIntact else { return false }
    slot.storeBytes(
      of: MonotonicClock.now.littleEndian,
      toByteOffset: FrameRingLayout.Slot.published,
      as: UInt64.self
    )
    store(sequence, at: address + FrameRingLayout.Slot.sequence)
    store(sequence, at: header + FrameRingLayout.Header.published)
    last = sequence
    do { try EventCounter.add(to: event) } catch { throw .system(error) }
    return true
  }

  /// Returns the slot for the next frame.
  ///
  /// It skips the slot that the host is showing, together with the sequence number of that slot.
  private func beginFrame() -> (sequence: UInt64, slot: UnsafeMutableRawBufferPointer)? {
    guard let header = ring.mapping.bytes.baseAddress else { return nil }
    // The host stores the frame that it holds, and then checks whether that is still the newest one. This
    // side published the newest frame before this load. One of the two sides sees the store of the other, so
    // the held frame is known here or is the newest frame. The newest frame is in neither of these slots.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let held = loadAcquiring(header + FrameRingLayout.Header.held)
    let isHeld = held > 0 && geometry.slot(ofFrame: held) == geometry.slot(ofFrame: last + 1)
    let sequence = isHeld ? last + 2 : last + 1
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    let slot = UnsafeMutableRawBufferPointer(
      rebasing: ring.mapping.bytes[start..<start + geometry.slotStride]
    )
    guard let address = slot.baseAddress else { return nil }
    store(0, at: address + FrameRingLayout.Slot.sequence)
    // A reader that sees a new pixel must also see that the sequence number of the old frame is cleared.
    atomicMemoryFence(ordering: .releasing)
    return (sequence, slot)
  }

  /// Stores a little-endian 64-bit integer with release ordering.
  private func store(_ value: UInt64, at address: UnsafeMutableRawPointer) {
    // `Atomic` has the layout of its value, and the fields of the ring are aligned to 8 bytes.
    address.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(
      value.littleEndian,
      ordering: .releasing
    )
  }
}
