// SPDX-License-Identifier: Apache-2.0

/// The numbers that both sides of a sound ring agree on, beside those of ``RingLayout``.
///
/// A slot holds a block of sound: some moments that follow each other, each with one sample of every channel.
package enum SoundRingLayout {
  /// The bytes `DKSR`, read as a little-endian number.
  package static let magic: UInt32 = 0x5253_4B44
  /// The only version so far.
  package static let version: UInt32 = 1
  /// The slots of a ring: more than a second of blocks of ten milliseconds.
  package static let defaultSlots = 128
  /// How many slots a ring may have; with one, the newest block would always be the one being overwritten.
  package static let slotCounts = 2...1024
  /// The sample format code of 16-bit signed numbers, the only one.
  package static let formatS16: UInt32 = 1
  /// How many bytes a sample has.
  package static let sampleBytes = 2
  /// How many samples a second a channel may have.
  package static let sampleRates = 8000...192_000
  /// How many channels there may be.
  package static let channelCounts = 1...8
  /// How many moments a block may have.
  package static let blockSizes = 1...16384
  /// What a slot's size is a multiple of.
  package static let slotUnit = 64

  /// Where the header's fields are that only sound has.
  package enum Header {
    /// u32, samples of a channel in a second.
    package static let sampleRate = 20
    /// u32, how many channels there are.
    package static let channels = 24
    /// u32, ``SoundRingLayout/formatS16``.
    package static let format = 28
    /// u32, the most moments of a block.
    package static let blockFrames = 32
  }

  /// Where a slot's fields are that only sound has.
  package enum Slot {
    /// u64, how many moments the microphone heard before the first one of the block, also those that were lost.
    package static let position = 24
    /// u32, how many moments the block has.
    package static let frames = 32
    /// Where the samples begin, those of one moment side by side.
    package static let samples = RingLayout.Slot.payload
  }
}

/// What the header of a sound ring says: what the samples are, and how many fit into a slot.
package struct SoundRingGeometry: RingGeometry {
  /// What the kernel calls the memory of sound.
  package static let memoryName = "darkroom-sound"
  /// Samples of a channel in a second.
  package let sampleRate: Int
  /// How many channels there are.
  package let channels: Int
  /// The most moments of a block.
  package let blockFrames: Int
  /// How many slots there are.
  package let slots: Int
  /// The distance from one slot to the next.
  package let slotStride: Int

  /// Lays a ring out. Without `blockFrames` a block has ten milliseconds.
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

  /// Reads the header of a ring from its first bytes; `fileBytes` is the size of the whole file.
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

  /// How many bytes one moment has.
  package var frameBytes: Int { channels * SoundRingLayout.sampleBytes }

  /// How many bytes the samples of a whole block have.
  package var blockBytes: Int { blockFrames * frameBytes }

  /// The bytes of the header as they stand before the first block.
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

  /// Throws unless every number is within its limits and a block within its slot.
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

/// Why bytes are not the header of a sound ring, or sound cannot be in one.
package enum SoundRingLayoutError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file ends before what its header describes.
  case tooShort(bytes: Int, needed: Int)
  /// A field has a value that it may not have.
  case field(name: String, value: Int, expected: String)

  /// A sentence.
  package var description: String {
    switch self {
    case .tooShort(let bytes, let needed):
      "the sound ring has \(bytes) bytes and needs \(needed); map the whole descriptor named sound"
    case .field(let name, let value, let expected):
      "the sound ring's \(name) is \(value); it has to be \(expected)"
    }
  }
}
