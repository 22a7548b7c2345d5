// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The reading end of a frame ring.
final class FrameRingReader {
  /// The size of the frames and the layout of their planes.
  var geometry: FrameRingGeometry { ring.geometry }
  /// The last frame that this side has finished with, or 0 before the first.
  private(set) var last: UInt64 = 0
  private let ring: MappedRing
  private let event: Descriptor
  private let done: Descriptor

  private init(
    _ ring: consuming MappedRing,
    event: consuming Descriptor,
    done: consuming Descriptor
  ) {
    self.ring = ring
    self.event = event
    self.done = done
  }

  /// Maps the ring of a camera channel.
  static func open(_ channel: consuming CameraChannel) throws(ExtensionFailure) -> FrameRingReader {
    let ring = try MappedRing.map(channel.frames, .read)
    // Swift 6.2 does not move two fields in one call.
    let done = channel.frameDone
    return FrameRingReader(ring, event: channel.frameEvent, done: done)
  }

  /// The eventfd that becomes readable when a frame is published.
  var eventDescriptor: Int32 { event.rawValue }

  /// The sequence number of the newest frame.
  var published: UInt64 {
    guard let address = ring.mapping.bytes.baseAddress else { return 0 }
    return loadAcquiring(UnsafeRawPointer(address + FrameRingLayout.Header.published))
  }

  /// Resets the eventfd of the published frames.
  func acknowledge() throws(ExtensionFailure) {
    do { _ = try EventCounter.take(event) } catch { throw .system(error) }
  }

  /// Returns the frame with this sequence number without a copy, or `nil` if the slot does not contain that
  /// frame.
  func frame(_ sequence: UInt64) -> CaptureFrame? {
    guard sequence > 0 else { return nil }
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    let slot = UnsafeRawBufferPointer(rebasing: ring.mapping.bytes[start..<start + geometry.slotStride])
    let dropped = FrameRingLayout.dropped(last: last, newest: sequence)
    let frame = CaptureFrame(slot, owner: nil, geometry, sequence: sequence, dropped: dropped)
    guard frame.isIntact else { return nil }
    return frame
  }

  /// Reports to the host that this side has finished with all frames up to `sequence`.
  func finish(_ sequence: UInt64) throws(ExtensionFailure) {
    guard sequence > last else { return }
    do { try EventCounter.add(sequence - last, to: done) } catch { throw .system(error) }
    last = sequence
  }
}

/// Loads a little-endian 64-bit integer that another process writes, with acquire ordering.
func loadAcquiring(_ address: UnsafeRawPointer) -> UInt64 {
  // `Atomic` has the layout of its value, and the fields of the ring are aligned to 8 bytes.
  UInt64(
    littleEndian: address.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
  )
}
