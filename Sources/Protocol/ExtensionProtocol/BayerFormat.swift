// SPDX-License-Identifier: Apache-2.0

/// A format of the samples of a sensor with a Bayer filter: one sample per pixel, of one color, row by row.
package struct BayerFormat: Hashable, Sendable {
  /// The colors of the first two pixels of the first row, then of the second row.
  package enum Pattern: String, CaseIterable, Sendable {
    /// Blue and green, then green and red.
    case bggr
    /// Green and blue, then red and green.
    case gbrg
    /// Green and red, then blue and green.
    case grbg
    /// Red and green, then green and blue.
    case rggb
  }

  /// The colors of the pixels.
  package let pattern: Pattern
  /// The number of bits of a sample: 8, 10, 12, 14 or 16. A sample of more than 8 bits has two bytes, the lower one
  /// first, and is in their lowest bits.
  package let bits: Int

  /// The four-character codes of the kernel (linux/videodev2.h), in the order of ``Pattern/allCases``.
  private static let codes: KeyValuePairs<Int, [StaticString]> = [
    8: ["BA81", "GBRG", "GRBG", "RGGB"], 10: ["BG10", "GB10", "BA10", "RG10"],
    12: ["BG12", "GB12", "BA12", "RG12"],
    14: ["BG14", "GB14", "GR14", "RG14"], 16: ["BYR2", "GB16", "GR16", "RG16"],
  ]

  /// All formats, those with the fewest bits first.
  package static let all = codes.flatMap { bits, _ in
    Pattern.allCases.map { BayerFormat(pattern: $0, bits: bits) }
  }

  private init(pattern: Pattern, bits: Int) { (self.pattern, self.bits) = (pattern, bits) }

  /// Creates the format with a four-character code of the kernel, or returns `nil` if that is another format.
  package init?(code: String) {
    for (bits, codes) in Self.codes {
      guard let index = codes.firstIndex(where: { $0.description == code }) else { continue }
      self.init(pattern: Pattern.allCases[index], bits: bits)
      return
    }
    return nil
  }

  /// Creates the format with a four-character code as a number, the first character in the lowest byte.
  package init?(code: UInt32) {
    self.init(
      code: String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) }, as: UTF8.self)
    )
  }

  /// The four-character code of the kernel, such as `RGGB` for 8 bits or `RG10` for 10 bits.
  package var code: String {
    let codes = Self.codes.first { $0.key == bits }?.value ?? []
    return zip(Pattern.allCases, codes).first { $0.0 == pattern }?.1.description ?? ""
  }

  /// The four-character code as a number, the first character in the lowest byte.
  package var codeNumber: UInt32 { code.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

  /// The format with the same colors and 8 bits per sample.
  package var withEightBits: BayerFormat { BayerFormat(pattern: pattern, bits: 8) }

  /// The number of bytes of a sample, 1 or 2.
  package var bytesPerSample: Int { bits > 8 ? 2 : 1 }
}
