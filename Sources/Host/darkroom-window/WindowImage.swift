// SPDX-License-Identifier: Apache-2.0

/// The size of an image in pixels.
struct ImageSize: Equatable {
  /// The number of pixels in a row.
  var width: Int
  /// The number of rows.
  var height: Int

  /// Returns the largest size with the aspect ratio of another image that fits into this size.
  func fitting(_ image: ImageSize) -> ImageSize {
    if image.width * height <= width * image.height {
      return ImageSize(width: max(1, image.width * height / image.height), height: height)
    }
    return ImageSize(width: width, height: max(1, image.height * width / image.width))
  }
}

/// The pixels of the last frame, which can be scaled to a window of any size.
final class WindowImage {
  /// The size of the image.
  let size: ImageSize
  /// Four bytes per pixel: blue, green, red, and an unused byte.
  let bytes: UnsafeMutableRawBufferPointer

  /// Creates a black image.
  init(_ size: ImageSize) {
    self.size = size
    bytes = .allocate(byteCount: 4 * size.width * size.height, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }

  /// Draws the image centered and as large as possible in another image, with nearest-neighbor scaling.
  /// Pixels around it are not changed.
  func draw(in target: UnsafeMutableRawBufferPointer, _ targetSize: ImageSize) {
    let shown = targetSize.fitting(size)
    let (left, top) = ((targetSize.width - shown.width) / 2, (targetSize.height - shown.height) / 2)
    guard let from = bytes.bindMemory(to: UInt32.self).baseAddress,
      let into = target.bindMemory(to: UInt32.self).baseAddress
    else { return }
    let columns = (0..<shown.width).map { (2 * $0 + 1) * size.width / (2 * shown.width) }
    var before: (row: Int, pixels: UnsafeMutablePointer<UInt32>)?
    for row in 0..<shown.height {
      let old = (2 * row + 1) * size.height / (2 * shown.height)
      let pixels = into + (top + row) * targetSize.width + left
      defer { before = (old, pixels) }
      if let before, before.row == old {
        pixels.update(from: before.pixels, count: shown.width)
        continue
      }
      let source = from + old * size.width
      if shown.width == size.width {
        pixels.update(from: source, count: shown.width)
      } else {
        columns.withUnsafeBufferPointer { columns in
          for column in 0..<columns.count { pixels[column] = source[columns[column]] }
        }
      }
    }
  }
}
