// SPDX-License-Identifier: Apache-2.0

/// A mono WAV file with one letter per sample, encoded independently of the code under test.
struct WaveFile {
  /// The bytes before and after the data chunk.
  var (before, after) = ("", "")
  var samples: String

  /// Creates a file with the given samples at 8000 Hz.
  init(before: String = "", samples: String, after: String = "") {
    (self.before, self.samples, self.after) = (before, samples, after)
  }

  /// The content of the format chunk.
  var formatChunk: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]

  /// The bytes of the file.
  var bytes: [UInt8] {
    let padding = [UInt8](repeating: 0, count: samples.utf8.count % 2)
    let data = "data".utf8 + number(samples.utf8.count) + samples.utf8 + padding
    let body = "WAVEfmt ".utf8 + number(formatChunk.count) + formatChunk + before.utf8 + data
    return "RIFF".utf8 + number(body.count) + body + after.utf8
  }

  private func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
}
