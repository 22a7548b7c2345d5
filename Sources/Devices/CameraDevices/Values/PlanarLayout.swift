// SPDX-License-Identifier: Apache-2.0

/// The layout by which separate planes are gathered into one contiguous image. A value without I/O.
package struct PlanarLayout: Hashable, Sendable {
  /// A plane as the device provides it.
  package struct Plane: Hashable, Sendable {
    /// The distance between two rows, in bytes.
    package var stride: Int
    /// The number of bytes of pixels in each row.
    package var rowBytes: Int
    /// The number of rows.
    package var rows: Int

    /// The number of bytes of the device's plane that are read.
    package var extent: Int { rows == 0 ? 0 : stride * (rows - 1) + rowBytes }
  }

  /// The pixel format of the gathered image.
  package let pixels: PixelFormat
  /// The planes, in order.
  package let planes: [Plane]

  /// Creates the layout of a multi-planar format with the strides that the driver reports, or returns `nil`
  /// if the format is unknown.
  package init?(_ pixels: PixelFormat, width: Int, height: Int, strides: [Int]) {
    guard (1...65535).contains(width), (1...65535).contains(height) else { return nil }
    let chroma = (width: width / 2, rows: height / 2)
    let rows: [(bytes: Int, rows: Int)]
    switch pixels {
    case .multiplanarNV12:
      (self.pixels, rows) = (PixelFormat("NV12"), [(width, height), (2 * chroma.width, chroma.rows)])
    case .multiplanarI420:
      (self.pixels, rows) = (
        .i420, [(width, height), (chroma.width, chroma.rows), (chroma.width, chroma.rows)]
      )
    case .multiplanarYV12:
      let small = (bytes: chroma.width, rows: chroma.rows)
      (self.pixels, rows) = (PixelFormat("YV12"), [(width, height), small, small])
    default: return nil
    }
    guard strides.count == rows.count, width % 2 == 0, height % 2 == 0 else { return nil }
    planes = zip(strides, rows).map { Plane(stride: max($0, $1.bytes), rowBytes: $1.bytes, rows: $1.rows) }
  }

  /// The size of the gathered image, in bytes.
  package var bytes: Int { planes.map { $0.rowBytes * $0.rows }.reduce(0, +) }

  /// Gathers the planes. Each source must have at least its ``Plane/extent``, and `picture` must have at
  /// least ``bytes``.
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
