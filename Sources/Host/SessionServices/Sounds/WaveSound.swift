// SPDX-License-Identifier: Apache-2.0

package import CaptureHost

/// A short sound of uncompressed samples, parsed from an untrusted WAV file.
///
/// A player runs outside the sandbox and decodes its input. It receives only the output of ``bytes``: a
/// header of validated values, and samples, which a player does not interpret.
package struct WaveSound {
  /// The maximum duration of a sound, in seconds.
  static let longest = 5
  /// The lengths of a RIFF header and of a chunk header, in bytes.
  private static let (riffLength, chunkLength) = (12, 8)
  /// The used lengths of a plain and of an extensible format chunk, in bytes.
  private static let (formatLength, extendedLength) = (16, 40)
  /// The format tags of uncompressed samples and of the extensible format, which contains the actual tag.
  private static let (plain, extended) = (1, 0xFFFE)

  /// The number of samples in a frame.
  let channels: Int
  /// The number of frames per second.
  let rate: Int
  /// The number of bits in a sample.
  let bits: Int
  /// The samples of complete frames.
  package let samples: [UInt8]

  /// The length of a frame, in bytes.
  private var frameLength: Int { channels * bits / 8 }

  /// Parses the contents of a file. No value in the file is trusted.
  package init(_ file: [UInt8]) throws(SoundFailure) {
    guard Self.name(file, 0) == "RIFF", Self.name(file, 8) == "WAVE" else { throw .notPlainWAV }
    var format: Range<Int>?
    var data: Range<Int>?
    var offset = Self.riffLength
    while data == nil, let size = Self.number(file, offset + 4, bytes: 4) {
      let start = offset + Self.chunkLength
      // A program that writes to a pipe does not know the size, and writes the largest one.
      let chunk = start..<min(start + size, file.count)
      switch Self.name(file, offset) {
      case "fmt ": format = chunk
      case "data": data = chunk
      default: break
      }
      offset = start + size + size % 2
    }
    guard let format, let data else { throw .notPlainWAV }
    (channels, rate, bits) = try Self.format(file, format)
    let length = channels * bits / 8
    let count = data.count / length
    guard count <= Self.longest * rate else { throw .tooLong(seconds: Self.longest) }
    samples = Array(file[data.prefix(count * length)])
  }

  /// Parses the format chunk.
  private static func format(
    _ file: [UInt8],
    _ chunk: Range<Int>
  ) throws(SoundFailure) -> (channels: Int, rate: Int, bits: Int) {
    func field(_ offset: Int, _ bytes: Int) -> Int {
      number(file, chunk.lowerBound + offset, bytes: bytes) ?? 0
    }
    guard chunk.count >= formatLength else { throw .notPlainWAV }
    let isExtended = field(0, 2) == extended && chunk.count >= extendedLength
    let (kind, channels, rate, bits) = (field(isExtended ? 24 : 0, 2), field(2, 2), field(4, 4), field(14, 2))
    guard kind == plain, (1...2).contains(channels), (8000...192_000).contains(rate),
      [8, 16, 24, 32].contains(bits)
    else { throw .notPlainWAV }
    return (channels, rate, bits)
  }

  /// The sound as a new WAV file.
  package var bytes: [UInt8] {
    var file = Array("RIFF".utf8)
    func append(_ value: Int, bytes: Int) {
      for index in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    let padding = samples.count % 2
    append(4 + 2 * Self.chunkLength + Self.formatLength + samples.count + padding, bytes: 4)
    file += "WAVEfmt ".utf8
    append(Self.formatLength, bytes: 4)
    append(Self.plain, bytes: 2)
    append(channels, bytes: 2)
    append(rate, bytes: 4)
    append(rate * frameLength, bytes: 4)
    append(frameLength, bytes: 2)
    append(bits, bytes: 2)
    file += "data".utf8
    append(samples.count, bytes: 4)
    return file + samples + [UInt8](repeating: 0, count: padding)
  }

  /// Returns the four letters at an offset, or `nil` beyond the end of the file.
  private static func name(_ file: [UInt8], _ offset: Int) -> String? {
    guard offset + 4 <= file.count else { return nil }
    return String(decoding: file[offset..<offset + 4], as: UTF8.self)
  }

  /// Returns the little-endian number at an offset, or `nil` beyond the end of the file.
  private static func number(_ file: [UInt8], _ offset: Int, bytes: Int) -> Int? {
    guard offset + bytes <= file.count else { return nil }
    return file[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
