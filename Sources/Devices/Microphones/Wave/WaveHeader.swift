// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Where the samples of a WAV file are, and what they are. A value without I/O.
package struct WaveHeader: Hashable, Sendable {
  /// How much of a file's beginning is looked at: a header with a picture in it is not waited for.
  package static let mostBytes = 65536
  /// The name of plain samples, and the name behind which a longer chunk has the true one.
  private static let (plain, extended) = (1, 0xFFFE)
  /// How many bytes of the chunk that tells the form mean something: all, and those that name plain samples elsewhere.
  private static let (formLength, extendedLength) = (16, 40)

  /// Samples of a channel in a second.
  package let sampleRate: Int
  /// How many channels there are.
  package let channels: Int
  /// Where the samples are in the file; whole moments only.
  package let samples: Range<Int>

  /// Reads the beginning of a file that has so many bytes; every number in it may be a lie.
  package init(_ start: [UInt8], fileBytes: Int) throws(WaveFault) {
    guard Self.name(start, 0) == "RIFF", Self.name(start, 8) == "WAVE" else {
      throw .notWave(firstBytes: Array(start.prefix(12)))
    }
    var form: Range<Int>?
    var offset = 12
    while let name = Self.name(start, offset), let size = Self.number(start, offset + 4, bytes: 4) {
      let body = (offset + 8)..<max(offset + 8, min(offset + 8 + size, fileBytes))
      if name == "data" {
        guard let form else { throw .damaged }
        (sampleRate, channels) = try Self.form(start, form)
        // A program that writes into a pipe does not know the size, and names the largest.
        let length = channels * SoundRingLayout.sampleBytes
        samples = body.lowerBound..<(body.lowerBound + body.count / length * length)
        return
      }
      if name == "fmt " { form = body }
      offset += 8 + size + size % 2
    }
    throw .damaged
  }

  /// Reads the chunk that tells what the samples are.
  private static func form(_ start: [UInt8], _ chunk: Range<Int>) throws(WaveFault) -> (
    rate: Int, channels: Int
  ) {
    func field(_ offset: Int, _ bytes: Int) -> Int {
      number(start, chunk.lowerBound + offset, bytes: bytes) ?? 0
    }
    guard chunk.count >= formLength else { throw .damaged }
    let isExtended = field(0, 2) == extended && chunk.count >= extendedLength
    let (kind, channels, rate, bits) = (field(isExtended ? 24 : 0, 2), field(2, 2), field(4, 4), field(14, 2))
    guard kind == plain, bits == 8 * SoundRingLayout.sampleBytes else {
      throw .samples(kind: kind, bits: bits)
    }
    guard SoundRingLayout.channelCounts.contains(channels) else { throw .channels(channels) }
    guard SoundRingLayout.sampleRates.contains(rate) else { throw .rate(rate) }
    return (rate, channels)
  }

  /// The four letters at an offset; nil: the bytes end before.
  private static func name(_ bytes: [UInt8], _ offset: Int) -> String? {
    guard offset + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  /// The number at an offset, its lowest byte first; nil: the bytes end before.
  private static func number(_ bytes: [UInt8], _ offset: Int, bytes count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// What can be wrong with a WAV file.
package enum WaveFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is something else.
  case notWave(firstBytes: [UInt8])
  /// What tells the form or where the samples are is missing, or too far from the beginning.
  case damaged
  /// Its samples are of another kind.
  case samples(kind: Int, bits: Int)
  /// It has too many channels, or none.
  case channels(Int)
  /// It is too fast or too slow.
  case rate(Int)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .notWave: "this is no WAV file; convert it: \(Self.conversion)"
    case .damaged:
      "no form and samples are found in its first \(WaveHeader.mostBytes) bytes; make it anew: \(Self.conversion)"
    case .samples(let kind, let bits):
      "its samples have \(bits) bits and are of kind \(kind), only 16 bits of kind 1 are taken; convert it: "
        + Self.conversion
    case .channels(let count):
      "it has \(count) channels, 1 to \(SoundRingLayout.channelCounts.upperBound) are taken; convert it: "
        + "\(Self.conversion) with -ac 2"
    case .rate(let rate):
      "it has \(rate) samples a second, \(SoundRingLayout.sampleRates.lowerBound) to "
        + "\(SoundRingLayout.sampleRates.upperBound) are taken; convert it: \(Self.conversion) with -ar 48000"
    }
  }

  /// How such a file is made.
  private static let conversion = "ffmpeg -i INPUT -c:a pcm_s16le OUTPUT.wav"
}
