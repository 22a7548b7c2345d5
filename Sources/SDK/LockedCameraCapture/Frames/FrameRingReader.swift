// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// The reading end of a frame ring.
final class FrameRingReader {
  /// The size of the frames and where their pixels are.
  var geometry: FrameRingGeometry { ring.geometry }
  /// The last frame that this side has finished with; 0 before the first.
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

  /// Maps a ring.
  static func open(_ channel: consuming CameraChannel) throws(ExtensionFailure) -> FrameRingReader {
    let ring = try MappedRing.map(channel.frames, .read)
    return FrameRingReader(ring, event: channel.frameEvent, done: channel.frameDone)
  }

  /// What is readable when there is a frame.
  var eventDescriptor: Int32 { event.rawValue }

  /// The sequence of the newest frame.
  var published: UInt64 {
    guard let address = ring.mapping.bytes.baseAddress else { return 0 }
    return loadAcquiring(UnsafeRawPointer(address + FrameRingLayout.Header.published))
  }

  /// Takes note of the frames that were announced.
  func acknowledge() throws(ExtensionFailure) {
    do { _ = try EventCounter.take(event) } catch { throw .system(error) }
  }

  /// The frame with this sequence, in place; nil if it is no longer, or not yet, in its slot.
  func frame(_ sequence: UInt64) -> CaptureFrame? {
    guard sequence > 0 else { return nil }
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    let slot = UnsafeRawBufferPointer(rebasing: ring.mapping.bytes[start..<start + geometry.slotStride])
    let dropped = FrameRingLayout.dropped(last: last, newest: sequence)
    let frame = CaptureFrame(slot, owner: nil, geometry, sequence: sequence, dropped: dropped)
    guard frame.isIntact else { return nil }
    return frame
  }

  /// Says that this side has finished with all frames up to this one.
  func finish(_ sequence: UInt64) throws(ExtensionFailure) {
    guard sequence > last else { return }
    do { try EventCounter.add(sequence - last, to: done) } catch { throw .system(error) }
    last = sequence
  }
}

/// Reads a little-endian 64-bit number that another process writes, before everything that is read after it.
func loadAcquiring(_ address: UnsafeRawPointer) -> UInt64 {
  // An atomic has the layout of its value, and the ring's fields are aligned to eight bytes.
  UInt64(
    littleEndian: address.assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(ordering: .acquiring)
  )
}
