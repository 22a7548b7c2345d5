// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import SessionServices
import Testing

@Suite struct WaveSoundTests {
  /// Returns the bytes that a player would receive for a file.
  private func passedBytes(_ file: [UInt8]) throws(SoundFailure) -> [UInt8] { try WaveSound(file).bytes }

  @Test func `passes on the format and samples and drops all other chunks`() throws {
    for samples in ["", "a", "ab", "abc"] {
      let plain = WaveFile(samples: samples)
      #expect(try passedBytes(plain.bytes) == plain.bytes)
      // An odd chunk is followed by a padding byte that its size does not include.
      let withExtraChunks = WaveFile(before: "LIST\u{3}\0\0\0bad\0", samples: samples, after: "tail")
      #expect(try passedBytes(withExtraChunks.bytes) == plain.bytes)
    }
  }

  @Test func `accepts the extensible format if its samples are plain PCM`() throws {
    var file = WaveFile(samples: "ab")
    let plain = file.bytes
    file.formatChunk[0...1] = [0xFE, 0xFF]
    file.formatChunk += [
      22, 0, 8, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
    ]
    #expect(try passedBytes(file.bytes) == plain)
    file.formatChunk[24] = 2
    #expect(throws: SoundFailure.notPlainWAV) { try passedBytes(file.bytes) }
  }

  @Test
  func `drops an incomplete final frame and limits an oversized data chunk to the file`()
    throws
  {
    var file = WaveFile(samples: "abcdefg")
    // The format has two channels of 16 bits.
    file.formatChunk[2] = 2
    file.formatChunk[14] = 16
    let sound = try WaveSound(file.bytes)
    #expect(sound.samples == Array("abcd".utf8))
    var bytes = WaveFile(samples: "abcd").bytes
    bytes.replaceSubrange(40..<44, with: [255, 255, 255, 255])
    #expect(try passedBytes(bytes) == WaveFile(samples: "abcd").bytes)
  }

  @Test(
    arguments: [
      (0, 2), (0, 3), (1, 1), (2, 0), (2, 3), (4, 0x3F), (6, 0x80), (14, 0), (14, 12), (14, 64), (15, 1),
    ]
  )
  func `rejects an unsupported format field`(offset: Int, value: UInt8) throws {
    var file = WaveFile(samples: "abcd")
    file.formatChunk[offset] = value
    #expect(throws: SoundFailure.notPlainWAV) { try passedBytes(file.bytes) }
  }

  @Test func `a truncated file is rejected or has fewer samples`() throws {
    let file = WaveFile(before: "LIST\u{2}\0\0\0no", samples: "abcd").bytes
    for length in 0..<file.count {
      let part = Array(file[..<length])
      // The data chunk starts ten bytes later because of the additional chunk.
      guard length >= 54 else {
        #expect(throws: SoundFailure.notPlainWAV, "\(length)") { try passedBytes(part) }
        continue
      }
      #expect(try WaveSound(part).samples == Array("abcd".utf8.prefix(length - 54)))
    }
  }

  @Test func `accepts at most five seconds`() throws {
    let sound = WaveFile(samples: String(repeating: "a", count: 40_000))
    #expect(try passedBytes(sound.bytes) == sound.bytes)
    let longer = WaveFile(samples: String(repeating: "a", count: 40_001))
    #expect(throws: SoundFailure.tooLong(seconds: 5)) { try passedBytes(longer.bytes) }
  }

  @Test func `rejects a file without a format chunk or with one after the samples`() {
    let header = Array("RIFF\0\0\0\0WAVE".utf8)
    let data = Array("data\u{1}\0\0\0a".utf8)
    #expect(throws: SoundFailure.notPlainWAV) { try passedBytes(header) }
    #expect(throws: SoundFailure.notPlainWAV) { try passedBytes(header + data) }
    let late = header + data + [0] + WaveFile(samples: "").bytes[12...]
    #expect(throws: SoundFailure.notPlainWAV) { try passedBytes(late) }
  }
}
