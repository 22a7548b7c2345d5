// SPDX-License-Identifier: Apache-2.0

/// How planes that lie apart make one picture without gaps. A value without I/O.
package struct PlanarLayout: Hashable, Sendable {
  /// One plane as the device has it.
  package struct Plane: Hashable, Sendable {
    /// From one row to the next, in bytes.
    package var stride: Int
    /// Of each row, so many bytes are pixels.
    package var rowBytes: Int
    /// How many rows there are.
    package var rows: Int

    /// How many bytes of the device's plane are looked at.
    package var extent: Int { rows == 0 ? 0 : stride * (rows - 1) + rowBytes }
  }

  /// What the picture is when its planes follow each other.
  package let pixels: PixelFormat
  /// The planes, in their order.
  package let planes: [Plane]

  /// The layout of a format whose planes are apart, with the strides that the driver says; nil: it is none that is known.
  package init?(_ pixels: PixelFormat, width: Int, height: Int, strides: [Int]) {
    guard (1...65535).contains(width), (1...65535).contains(height) else { return nil }
    let chroma = (width: width / 2, rows: height / 2)
    let rows: [(bytes: Int, rows: Int)]
    switch pixels {
    case .apartNV12:
      (self.pixels, rows) = (PixelFormat("NV12"), [(width, height), (2 * chroma.width, chroma.rows)])
    case .apartI420:
      (self.pixels, rows) = (
        .i420, [(width, height), (chroma.width, chroma.rows), (chroma.width, chroma.rows)]
      )
    case .apartYV12:
      let small = (bytes: chroma.width, rows: chroma.rows)
      (self.pixels, rows) = (PixelFormat("YV12"), [(width, height), small, small])
    default: return nil
    }
    guard strides.count == rows.count, width % 2 == 0, height % 2 == 0 else { return nil }
    planes = zip(strides, rows).map { Plane(stride: max($0, $1.bytes), rowBytes: $1.bytes, rows: $1.rows) }
  }

  /// How many bytes the whole picture has.
  package var bytes: Int { planes.map { $0.rowBytes * $0.rows }.reduce(0, +) }

  /// Puts the planes together. Each has at least its ``Plane/extent``, and the picture has room for ``bytes``.
  package func gather(_ sources: [UnsafeRawBufferPointer], into picture: UnsafeMutableRawBufferPointer) {
    var place = 0
    for (plane, source) in zip(planes, sources) {
      for row in 0..<plane.rows {
        let from = UnsafeRawBufferPointer(rebasing: source[(row * plane.stride)...].prefix(plane.rowBytes))
        UnsafeMutableRawBufferPointer(rebasing: picture[place...].prefix(plane.rowBytes)).copyMemory(
          from: from
        )
        place += plane.rowBytes
      }
    }
  }
}
