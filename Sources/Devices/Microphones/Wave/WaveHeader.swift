// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The format and the position of the samples in a WAV file. A value without I/O.
package struct WaveHeader: Hashable, Sendable {
  /// The number of bytes that are read from the start of a file. Files with larger headers, such as those
  /// with an embedded image, are not supported.
  package static let maximumHeaderBytes = 65536
  /// The format tags `WAVE_FORMAT_PCM`, and `WAVE_FORMAT_EXTENSIBLE`, whose longer chunk contains the actual
  /// tag.
  private static let (pcm, extensible) = (1, 0xFFFE)
  /// The minimum length of a format chunk: in general, and with `WAVE_FORMAT_EXTENSIBLE`.
  private static let (formLength, extendedLength) = (16, 40)

  /// The number of frames per second.
  package let sampleRate: Int
  /// The number of channels.
  package let channels: Int
  /// The byte range of the samples in the file; a whole number of frames.
  package let samples: Range<Int>

  /// Parses the start of a file of `fileBytes` bytes. All numbers in the file are untrusted.
  package init(_ start: [UInt8], fileBytes: Int) throws(WaveFault) {
    guard Self.name(start, 0) == "RIFF", Self.name(start, 8) == "WAVE" else {
      throw .notWave(firstBytes: Array(start.prefix(12)))
    }
    var format: Range<Int>?
    var offset = 12
    while let name = Self.name(start, offset), let size = Self.number(start, offset + 4, bytes: 4) {
      let body = (offset + 8)..<max(offset + 8, min(offset + 8 + size, fileBytes))
      if name == "data" {
        guard let format else { throw .malformed }
        (sampleRate, channels) = try Self.format(start, format)
        // A program that writes to a pipe does not know the size, and writes the maximum.
        let length = channels * SoundRingLayout.sampleBytes
        samples = body.lowerBound..<(body.lowerBound + body.count / length * length)
        return
      }
      if name == "fmt " { format = body }
      offset += 8 + size + size % 2
    }
    throw .malformed
  }

  /// Parses the format chunk.
  private static func format(_ start: [UInt8], _ chunk: Range<Int>) throws(WaveFault) -> (
    rate: Int, channels: Int
  ) {
    func field(_ offset: Int, _ bytes: Int) -> Int {
      number(start, chunk.lowerBound + offset, bytes: bytes) ?? 0
    }
    guard chunk.count >= formLength else { throw .malformed }
    let isExtended = field(0, 2) == extensible && chunk.count >= extendedLength
    let (kind, channels, rate, bits) = (field(isExtended ? 24 : 0, 2), field(2, 2), field(4, 4), field(14, 2))
    guard kind == pcm, bits == 8 * SoundRingLayout.sampleBytes else {
      throw .samples(kind: kind, bits: bits)
    }
    guard SoundRingLayout.channelCounts.contains(channels) else { throw .channels(channels) }
    guard SoundRingLayout.sampleRates.contains(rate) else { throw .rate(rate) }
    return (rate, channels)
  }

  /// Returns the four characters at an offset, or `nil` if the bytes end before them.
  private static func name(_ bytes: [UInt8], _ offset: Int) -> String? {
    guard offset + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  /// Returns the little-endian number at an offset, or `nil` if the bytes end before it.
  private static func number(_ bytes: [UInt8], _ offset: Int, bytes count: Int) -> Int? {
    guard offset + count <= bytes.count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// An error in a WAV file.
package enum WaveFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is not a WAV file.
  case notWave(firstBytes: [UInt8])
  /// The format chunk or the data chunk is missing, or too far from the start of the file.
  case malformed
  /// The samples have an unsupported format.
  case samples(kind: Int, bits: Int)
  /// The number of channels is not supported.
  case channels(Int)
  /// The sample rate is not supported.
  case rate(Int)

  /// The error, with a fix.
  package var description: String {
    switch self {
    case .notWave: "this is not a WAV file; convert it: \(Self.conversion)"
    case .malformed:
      "its first \(WaveHeader.maximumHeaderBytes) bytes do not contain a format and the start of the samples; create it "
        + "again: \(Self.conversion)"
    case .samples(let kind, let bits):
      "its samples have \(bits) bits and format \(kind), but only 16-bit PCM (format 1) is supported; convert it: "
        + Self.conversion
    case .channels(let count):
      "it has \(count) channels, but 1 to \(SoundRingLayout.channelCounts.upperBound) are supported; convert it: "
        + Self.command("-ac 2 ")
    case .rate(let rate):
      "it has \(rate) samples per second, but \(SoundRingLayout.sampleRates.lowerBound) to "
        + "\(SoundRingLayout.sampleRates.upperBound) are supported; convert it: "
        + Self.command("-ar 48000 ")
    }
  }

  /// The command that creates a supported file.
  private static let conversion = command("")

  /// Returns the command that creates a supported file, with additional options.
  private static func command(_ options: String) -> String {
    "ffmpeg -i INPUT \(options)-c:a pcm_s16le OUTPUT.wav"
  }
}
