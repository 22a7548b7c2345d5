// SPDX-License-Identifier: Apache-2.0

/// The constants of a sound ring that both sides use, in addition to those of ``RingLayout``.
///
/// A slot contains a block of sound: consecutive frames, each with one sample of every channel.
package enum SoundRingLayout {
  /// The bytes `DKSR`, read as a little-endian number.
  package static let magic: UInt32 = 0x5253_4B44
  /// The version of the layout.
  package static let version: UInt32 = 1
  /// The number of slots of a ring: more than a second in blocks of ten milliseconds.
  package static let defaultSlots = 128
  /// The allowed numbers of slots. With one slot, the newest block would always be the one being overwritten.
  package static let slotCounts = 2...1024
  /// The sample format code of signed 16-bit numbers, the only format.
  package static let formatS16: UInt32 = 1
  /// The size of a sample in bytes.
  package static let sampleBytes = 2
  /// The allowed numbers of samples per second and channel.
  package static let sampleRates = 8000...192_000
  /// The allowed numbers of channels.
  package static let channelCounts = 1...8
  /// The allowed numbers of frames in a block.
  package static let blockSizes = 1...16384
  /// The unit of a slot's size.
  package static let slotUnit = 64

  /// The offsets of the header's fields that are specific to sound.
  package enum Header {
    /// u32, the number of samples per second and channel.
    package static let sampleRate = 20
    /// u32, the number of channels.
    package static let channels = 24
    /// u32, ``SoundRingLayout/formatS16``.
    package static let format = 28
    /// u32, the maximum number of frames in a block.
    package static let blockFrames = 32
  }

  /// The offsets of a slot's fields that are specific to sound.
  package enum Slot {
    /// u64, the number of frames that the microphone recorded before the first one of the block, including
    /// lost ones.
    package static let position = 24
    /// u32, the number of frames in the block.
    package static let frames = 32
    /// The samples, interleaved by channel.
    package static let samples = RingLayout.Slot.payload
  }
}

/// The contents of a sound ring's header: the sample format, and the size of the blocks.
package struct SoundRingGeometry: RingGeometry {
  /// The name of the memory file (memfd_create(2)).
  package static let memoryName = "darkroom-sound"
  /// The number of samples per second and channel.
  package let sampleRate: Int
  /// The number of channels.
  package let channels: Int
  /// The maximum number of frames in a block.
  package let blockFrames: Int
  /// The number of slots.
  package let slots: Int
  /// The distance from one slot to the next.
  package let slotStride: Int

  /// Creates the geometry of a ring. If `blockFrames` is `nil`, a block has ten milliseconds.
  package init(
    sampleRate: Int,
    channels: Int,
    blockFrames: Int? = nil,
    slots: Int = SoundRingLayout.defaultSlots
  ) throws(SoundRingLayoutError) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.blockFrames = blockFrames ?? sampleRate / 100
    self.slots = slots
    let unit = SoundRingLayout.slotUnit
    let samples = max(0, self.blockFrames) &* max(0, channels) &* SoundRingLayout.sampleBytes
    slotStride = (SoundRingLayout.Slot.samples &+ samples &+ unit &- 1) / unit * unit
    try validate()
  }

  /// Creates a geometry from the first bytes of a ring. `fileBytes` is the size of the whole file.
  package init(header: UnsafeRawBufferPointer, fileBytes: Int) throws(SoundRingLayoutError) {
    guard header.count >= RingLayout.headerBytes, fileBytes >= RingLayout.headerBytes else {
      throw .tooShort(bytes: min(header.count, fileBytes), needed: RingLayout.headerBytes)
    }
    func field(_ offset: Int) -> Int {
      Int(UInt32(littleEndian: header.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    typealias Common = RingLayout.Header
    typealias Header = SoundRingLayout.Header
    let fixed: [(Int, String, Int)] = [
      (Common.magic, "magic", Int(SoundRingLayout.magic)),
      (Common.version, "version", Int(SoundRingLayout.version)),
      (Common.headerBytes, "headerBytes", RingLayout.headerBytes),
      (Header.format, "format", Int(SoundRingLayout.formatS16)),
    ]
    for (offset, name, value) in fixed where field(offset) != value {
      throw .field(name: name, value: field(offset), expected: "\(value)")
    }
    sampleRate = field(Header.sampleRate)
    channels = field(Header.channels)
    blockFrames = field(Header.blockFrames)
    slots = field(Common.slots)
    slotStride = field(Common.slotStride)
    try validate()
    if fileBytes < totalBytes { throw .tooShort(bytes: fileBytes, needed: totalBytes) }
  }

  /// The size of a frame in bytes.
  package var frameBytes: Int { channels * SoundRingLayout.sampleBytes }

  /// The maximum size of a block's samples in bytes.
  package var blockBytes: Int { blockFrames * frameBytes }

  /// The bytes of the header before the first block.
  package var header: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: RingLayout.headerBytes)
    func put(_ offset: Int, _ value: Int) {
      for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
    put(RingLayout.Header.magic, Int(SoundRingLayout.magic))
    put(RingLayout.Header.version, Int(SoundRingLayout.version))
    put(RingLayout.Header.headerBytes, RingLayout.headerBytes)
    put(RingLayout.Header.slots, slots)
    put(RingLayout.Header.slotStride, slotStride)
    put(SoundRingLayout.Header.sampleRate, sampleRate)
    put(SoundRingLayout.Header.channels, channels)
    put(SoundRingLayout.Header.format, Int(SoundRingLayout.formatS16))
    put(SoundRingLayout.Header.blockFrames, blockFrames)
    return bytes
  }

  /// Throws an error unless every number is within its limits and a block fits into its slot.
  private func validate() throws(SoundRingLayoutError) {
    let ranges: [(String, Int, ClosedRange<Int>)] = [
      ("sampleRate", sampleRate, SoundRingLayout.sampleRates),
      ("channels", channels, SoundRingLayout.channelCounts),
      ("blockFrames", blockFrames, SoundRingLayout.blockSizes),
      ("slots", slots, SoundRingLayout.slotCounts),
    ]
    for (name, value, range) in ranges where !range.contains(value) {
      throw .field(name: name, value: value, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    let least = SoundRingLayout.Slot.samples + blockBytes
    let unit = SoundRingLayout.slotUnit
    guard slotStride % unit == 0, (least...(least + 4096)).contains(slotStride) else {
      let expected = "a multiple of \(unit) from \(least) to \(least + 4096)"
      throw .field(name: "slotStride", value: slotStride, expected: expected)
    }
  }
}

/// A reason for which bytes are not the header of a sound ring, or for which a format is not supported.
package enum SoundRingLayoutError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file is shorter than its header requires.
  case tooShort(bytes: Int, needed: Int)
  /// A field has an invalid value.
  case field(name: String, value: Int, expected: String)

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .tooShort(let bytes, let needed):
      "the sound ring has \(bytes) bytes, but requires \(needed); map the whole descriptor 'sound'"
    case .field(let name, let value, let expected):
      "the sound ring's \(name) is \(value), but must be \(expected)"
    }
  }
}
