// SPDX-License-Identifier: Apache-2.0

/// The building blocks of a QuickTime movie (Apple, QuickTime File Format Specification).
enum MovieAtom {
  /// Returns an atom: its size, its type and its content.
  static func atom(_ type: StaticString, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.reduce([], +)
    return UInt32(content.count + 8).bytes + code(type) + content
  }

  /// Returns an atom whose content begins with a version and flags.
  static func versioned(_ type: StaticString, version: UInt8 = 0, flags: UInt32 = 0, _ parts: [UInt8]...)
    -> [UInt8]
  {
    atom(type, (UInt32(version) << 24 | flags).bytes + parts.reduce([], +))
  }

  /// Returns the bytes of a four-character code.
  static func code(_ text: StaticString) -> [UInt8] { text.withUTF8Buffer { Array($0) } }

  /// Returns bytes of zero.
  static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  /// Returns a transformation matrix for frames with a size in pixels.
  static func matrix(_ geometry: FrameGeometry, width: Int, height: Int) -> [UInt8] {
    // The columns u, v and w are constant; x' = a x + c y + tx, y' = b x + d y + ty.
    let (a, b, c, d) = [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)][geometry.quarterTurns]
    let sign = geometry.isMirrored ? -1 : 1
    // Moves the transformed frame back to the origin.
    let offsetX = min(0, sign * a) * -width + min(0, sign * c) * -height
    let offsetY = min(0, b) * -width + min(0, d) * -height
    let rows = [fixed(sign * a), fixed(b), 0, fixed(sign * c), fixed(d), 0, fixed(offsetX), fixed(offsetY)]
    return rows.flatMap(\.bytes) + UInt32(0x4000_0000).bytes
  }

  /// Returns a number with 16 bits after the point.
  static func fixed(_ number: Int) -> UInt32 { UInt32(truncatingIfNeeded: number << 16) }
}

extension FixedWidthInteger {
  /// The bytes of the number, highest byte first.
  var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
