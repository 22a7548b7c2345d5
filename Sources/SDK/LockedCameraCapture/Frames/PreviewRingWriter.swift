// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The writing end of the ring from which the host shows the viewfinder.
final class PreviewRingWriter {
  /// The size of the frames and where their pixels are.
  var geometry: FrameRingGeometry { ring.geometry }
  private let ring: MappedRing
  private let event: Descriptor
  /// The last frame that was shown; 0 before the first.
  private var last: UInt64 = 0

  private init(_ ring: consuming MappedRing, event: consuming Descriptor) {
    self.ring = ring
    self.event = event
  }

  /// Maps a ring whose frames have to be as large as the camera's.
  static func open(
    _ channel: consuming PreviewChannel,
    like camera: FrameRingGeometry
  ) throws(ExtensionFailure) -> PreviewRingWriter {
    let ring = try MappedRing.map(channel.frames, .readWrite)
    let fewest = FrameRingLayout.fewestPreviewSlots
    guard ring.geometry.slots >= fewest else {
      throw .brokenRing(
        .field(name: "preview slots", value: ring.geometry.slots, expected: "at least \(fewest)")
      )
    }
    guard ring.geometry.width == camera.width, ring.geometry.height == camera.height else {
      throw .brokenRing(
        .field(name: "preview width", value: ring.geometry.width, expected: "the camera's, \(camera.width)")
      )
    }
    return PreviewRingWriter(ring, event: channel.frameEvent)
  }

  /// Draws the next frame and shows it if `draw` says so; what is not shown is drawn over the next time.
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

  /// Takes the slot of the next frame: not the one that the host is showing, whose number is left out then.
  private func beginFrame() -> (sequence: UInt64, slot: UnsafeMutableRawBufferPointer)? {
    guard let header = ring.mapping.bytes.baseAddress else { return nil }
    // The host says what it holds and looks then whether that is still the newest; here the newest was published before
    // this look. One of the two sees the other, so that nothing is held that is not seen here, but the newest, which is
    // in neither of these slots.
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
    // Whoever sees a new pixel shall see that the old frame is gone, too.
    atomicMemoryFence(ordering: .releasing)
    return (sequence, slot)
  }

  /// Writes a little-endian 64-bit number after everything that was written before it.
  private func store(_ value: UInt64, at address: UnsafeMutableRawPointer) {
    // An atomic has the layout of its value, and the ring's fields are aligned to eight bytes.
    address.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.store(
      value.littleEndian,
      ordering: .releasing
    )
  }
}
