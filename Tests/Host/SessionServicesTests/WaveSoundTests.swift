// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import SessionServices
import Testing

@Suite struct WaveSoundTests {
  /// Returns the bytes that a player would receive for a file.
  private func handed(_ file: [UInt8]) throws(SoundFailure) -> [UInt8] { try WaveSound(file).bytes }

  @Test func `what is handed on has the form and the samples, and nothing else of the file`() throws {
    for samples in ["", "a", "ab", "abc"] {
      let plain = WaveText(samples: samples)
      #expect(try handed(plain.bytes) == plain.bytes)
      // An odd chunk is followed by a padding byte that its size does not include.
      let dressed = WaveText(before: "LIST\u{3}\0\0\0bad\0", samples: samples, after: "tail")
      #expect(try handed(dressed.bytes) == plain.bytes)
    }
  }

  @Test func `the longer chunk that names plain samples elsewhere is understood`() throws {
    var file = WaveText(samples: "ab")
    let plain = file.bytes
    file.form[0...1] = [0xFE, 0xFF]
    file.form += [22, 0, 8, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    #expect(try handed(file.bytes) == plain)
    file.form[24] = 2
    #expect(throws: SoundFailure.notPlainWAV) { try handed(file.bytes) }
  }

  @Test
  func `half a moment at the end is left out, and a chunk that names too many samples ends with the file`()
    throws
  {
    var file = WaveText(samples: "abcdefg")
    // The format has two channels of 16 bits.
    file.form[2] = 2
    file.form[14] = 16
    let sound = try WaveSound(file.bytes)
    #expect(sound.samples == Array("abcd".utf8))
    var bytes = WaveText(samples: "abcd").bytes
    bytes.replaceSubrange(40..<44, with: [255, 255, 255, 255])
    #expect(try handed(bytes) == WaveText(samples: "abcd").bytes)
  }

  @Test(
    arguments: [
      (0, 2), (0, 3), (1, 1), (2, 0), (2, 3), (4, 0x3F), (6, 0x80), (14, 0), (14, 12), (14, 64), (15, 1),
    ]
  )
  func `a form that no plain sound has is refused`(offset: Int, value: UInt8) throws {
    var file = WaveText(samples: "abcd")
    file.form[offset] = value
    #expect(throws: SoundFailure.notPlainWAV) { try handed(file.bytes) }
  }

  @Test func `a file that ends early, wherever, is refused or has fewer samples`() throws {
    let file = WaveText(before: "LIST\u{2}\0\0\0no", samples: "abcd").bytes
    for length in 0..<file.count {
      let part = Array(file[..<length])
      // The data chunk starts ten bytes later because of the additional chunk.
      guard length >= 54 else {
        #expect(throws: SoundFailure.notPlainWAV, "\(length)") { try handed(part) }
        continue
      }
      #expect(try WaveSound(part).samples == Array("abcd".utf8.prefix(length - 54)))
    }
  }

  @Test func `five seconds are played, and not a sample more`() throws {
    let sound = WaveText(samples: String(repeating: "a", count: 40_000))
    #expect(try handed(sound.bytes) == sound.bytes)
    let longer = WaveText(samples: String(repeating: "a", count: 40_001))
    #expect(throws: SoundFailure.tooLong(seconds: 5)) { try handed(longer.bytes) }
  }

  @Test func `a file without a form, or with the form behind the samples, is refused`() {
    let header = Array("RIFF\0\0\0\0WAVE".utf8)
    let data = Array("data\u{1}\0\0\0a".utf8)
    #expect(throws: SoundFailure.notPlainWAV) { try handed(header) }
    #expect(throws: SoundFailure.notPlainWAV) { try handed(header + data) }
    let late = header + data + [0] + WaveText(samples: "").bytes[12...]
    #expect(throws: SoundFailure.notPlainWAV) { try handed(late) }
  }
}
