// SPDX-License-Identifier: Apache-2.0

internal import CTurboJPEG
internal import ExtensionProtocol

/// An I420 image in the layout that libjpeg-turbo requires: rows and columns are padded to even numbers.
final class PlanarImage {
  /// The width in pixels, without padding.
  let width: Int
  /// The height in pixels, without padding.
  let height: Int
  /// The offsets, strides and row counts of the planes in ``pixels``.
  private let planes: [FramePlane]
  /// The memory of the planes.
  private let pixels: PixelBuffer

  /// Allocates a zeroed image.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    let luma = 4 * columns * rows
    planes = [
      FramePlane(offset: 0, stride: 2 * columns, rows: height, rowBytes: width),
      FramePlane(offset: luma, stride: columns, rows: rows, rowBytes: columns),
      FramePlane(offset: luma + columns * rows, stride: columns, rows: rows, rowBytes: columns),
    ]
    pixels = PixelBuffer(count: luma + 2 * columns * rows)
  }

  /// Creates an image from a frame whose planes follow each other without gaps
  /// (``FrameRingGeometry/pixels``).
  convenience init(_ frame: UnsafeRawBufferPointer, layout: FrameRingGeometry) {
    self.init(width: layout.width, height: layout.height)
    let begin = layout.pixels.lowerBound
    for (from, to) in zip(layout.planes, planes) {
      for row in 0..<from.rows {
        let (old, new) = (from.offset - begin + row * from.stride, to.offset + row * to.stride)
        pixels.bytes.part(new..<(new + from.rowBytes)).copyMemory(
          from: frame.part(old..<(old + from.rowBytes))
        )
      }
    }
    repeatEdges()
  }

  /// Fills the padding of the luma plane with the adjacent pixels, because the library reads the padding.
  private func repeatEdges() {
    let luma = planes[0]
    if luma.stride > width {
      for row in 0..<height {
        let end = row * luma.stride + width
        pixels.bytes[end] = pixels.bytes[end - 1]
      }
    }
    if height % 2 == 1 {
      let last = (height - 1) * luma.stride
      pixels.bytes.part(last + luma.stride..<last + 2 * luma.stride).copyMemory(
        from: UnsafeRawBufferPointer(pixels.bytes.part(last..<last + luma.stride))
      )
    }
  }

  /// Calls `body` with pointers to the planes and with their strides, for one call of the library.
  func withPlanes(
    _ body: (
      _ planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, _ strides: UnsafeMutablePointer<Int32>
    ) -> Int32
  ) -> Int32 {
    let base = pixels.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var pointers = planes.map { base?.advanced(by: $0.offset) }
    var strides = planes.map { Int32($0.stride) }
    return body(&pointers, &strides)
  }

  /// Converts rows of red, green and blue bytes to the image. Returns the library's message if the conversion
  /// failed, or `nil`.
  func encode(rgb: PixelBuffer) -> String? {
    guard let library = TurboJPEGLibrary.functions else { return TurboJPEGLibrary.fault }
    guard let handle = library.InitCompress() else { return library.reason(nil) }
    defer { _ = library.Destroy(handle) }
    let start = rgb.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let result = withPlanes { planes, strides in
      library.EncodeYUVPlanes(
        handle,
        start,
        Int32(width),
        Int32(3 * width),
        Int32(height),
        Int32(TJPF_RGB.rawValue),
        planes,
        strides,
        Int32(TJSAMP_420.rawValue),
        0
      )
    }
    return result == 0 ? nil : library.reason(handle)
  }

  /// Copies the image to a slot of the same size.
  func copy(to slot: UnsafeMutableRawBufferPointer, layout: FrameRingGeometry) {
    let source = UnsafeRawBufferPointer(pixels.bytes)
    for (from, to) in zip(planes, layout.planes) {
      if from.stride == from.rowBytes && to.stride == to.rowBytes {
        let count = from.rows * from.stride
        slot.part(to.offset..<(to.offset + count)).copyMemory(
          from: source.part(from.offset..<(from.offset + count))
        )
        continue
      }
      for row in 0..<from.rows {
        let old = from.offset + row * from.stride
        let new = to.offset + row * to.stride
        slot.part(new..<(new + to.rowBytes)).copyMemory(from: source.part(old..<(old + from.rowBytes)))
      }
    }
  }
}
