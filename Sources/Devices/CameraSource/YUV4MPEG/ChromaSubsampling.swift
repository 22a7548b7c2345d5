// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Chroma subsampling: converts denser chroma to one sample per four pixels.
enum ChromaSubsampling {
  /// Averages a plane of `rowBytes` x `rows` samples into the plane `target` of a slot.
  ///
  /// At odd edges, the last row or column counts twice.
  static func average(
    _ source: UnsafeRawBufferPointer,
    rowBytes: Int,
    rows: Int,
    into slot: UnsafeMutableRawBufferPointer,
    _ target: FramePlane
  ) {
    let isWide = rowBytes > target.rowBytes
    for row in 0..<target.rows {
      let upper = 2 * row * rowBytes
      let lower = min(2 * row + 1, rows - 1) * rowBytes
      let output = target.offset + row * target.stride
      for column in 0..<target.rowBytes {
        let left = isWide ? 2 * column : column
        let right = isWide ? min(2 * column + 1, rowBytes - 1) : column
        let sum =
          Int(source[upper + left]) + Int(source[upper + right])
          + Int(source[lower + left]) + Int(source[lower + right])
        slot[output + column] = UInt8((sum + 2) / 4)
      }
    }
  }
}
