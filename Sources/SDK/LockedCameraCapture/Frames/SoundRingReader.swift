// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The reading end of a sound ring.
final class SoundRingReader {
  /// The format and the layout of the samples.
  let geometry: SoundRingGeometry
  /// The last block that this side has finished with, or 0 before the first.
  private(set) var last: UInt64 = 0
  /// The number of sample frames that the microphone recorded up to the end of that block.
  private var position: UInt64 = 0
  private let mapping: Mapping
  private let event: Descriptor
  private let done: Descriptor

  private init(
    _ geometry: SoundRingGeometry,
    _ mapping: consuming Mapping,
    event: consuming Descriptor,
    done: consuming Descriptor
  ) {
    self.geometry = geometry
    self.mapping = mapping
    self.event = event
    self.done = done
  }

  /// Maps the ring of a sound channel.
  static func open(_ channel: consuming SoundChannel) throws(ExtensionFailure) -> SoundRingReader {
    let mapping: Mapping
    do throws(SystemCallError) {
      mapping = try Mapping(channel.sound, length: Int(try channel.sound.status().size), .read)
    } catch { throw .system(error) }
    let geometry: SoundRingGeometry
    do throws(SoundRingLayoutError) {
      let bytes = UnsafeRawBufferPointer(mapping.bytes)
      geometry = try SoundRingGeometry(header: bytes, fileBytes: bytes.count)
    } catch { throw .invalidSoundRing(error) }
    // Swift 6.2 does not move two fields in one call.
    let done = channel.soundDone
    return SoundRingReader(geometry, mapping, event: channel.soundEvent, done: done)
  }

  /// The eventfd that becomes readable when a block is published.
  var eventDescriptor: Int32 { event.rawValue }

  /// The sequence number of the newest block.
  var published: UInt64 {
    guard let address = mapping.bytes.baseAddress else { return 0 }
    return loadAcquiring(UnsafeRawPointer(address + RingLayout.Header.published))
  }

  /// Resets the eventfd of the published blocks.
  func acknowledge() throws(ExtensionFailure) {
    do { _ = try EventCounter.take(event) } catch { throw .system(error) }
  }

  /// Returns a copy of the next block that was not overwritten, or `nil` if there is none.
  ///
  /// The block counts as finished.
  func next() throws(ExtensionFailure) -> SoundBlock? {
    while true {
      let newest = published
      guard newest > last else { return nil }
      let oldest = newest > UInt64(geometry.slots) ? newest - UInt64(geometry.slots) + 1 : 1
      let sequence = max(last + 1, oldest)
      let sound = copy(sequence)
      // A block that was overwritten or erased meanwhile counts as finished, too.
      try finish(sequence)
      if let sound { return sound }
    }
  }

  /// Returns a copy of a block, or `nil` if its slot does not contain that block.
  private func copy(_ sequence: UInt64) -> SoundBlock? {
    let start = geometry.offset(ofSlot: geometry.slot(ofFrame: sequence))
    let slot = mapping.bytes[start..<(start + geometry.slotStride)]
    let bytes = UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: slot))
    let guardWord = SharedWord(
      in: UnsafeMutableRawBufferPointer(rebasing: slot),
      at: RingLayout.Slot.sequence
    )
    guard UInt64(littleEndian: guardWord.load()) == sequence else { return nil }
    func loadUInt64(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    let count = UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: SoundRingLayout.Slot.frames, as: UInt32.self)
    )
    let frames = min(Int(count), geometry.blockFrames)
    let samples = (0..<(frames * geometry.channels)).map { index in
      let offset = SoundRingLayout.Slot.samples + index * SoundRingLayout.sampleBytes
      return Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
    }
    let first = loadUInt64(SoundRingLayout.Slot.position)
    let sound = SoundBlock(
      samples: samples,
      sampleRate: geometry.sampleRate,
      channels: geometry.channels,
      timestamp: loadUInt64(RingLayout.Slot.timestamp),
      position: first,
      lost: first > position ? first - position : 0
    )
    guard UInt64(littleEndian: guardWord.loadAfterData()) == sequence else { return nil }
    position = first + UInt64(frames)
    return sound
  }

  /// Reports to the host that this side has finished with all blocks up to `sequence`.
  private func finish(_ sequence: UInt64) throws(ExtensionFailure) {
    do { try EventCounter.add(sequence - last, to: done) } catch { throw .system(error) }
    last = sequence
  }
}
