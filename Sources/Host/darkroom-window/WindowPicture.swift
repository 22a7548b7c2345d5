// SPDX-License-Identifier: Apache-2.0

/// How large a picture is, in pixels.
struct PictureSize: Equatable {
  /// Pixels in a row.
  var width: Int
  /// Rows.
  var height: Int

  /// How large a picture is that is as large as it can be in this one, and looks the same.
  func fitting(_ picture: PictureSize) -> PictureSize {
    if picture.width * height <= width * picture.height {
      return PictureSize(width: max(1, picture.width * height / picture.height), height: height)
    }
    return PictureSize(width: width, height: max(1, picture.height * width / picture.width))
  }
}

/// The pixels that were shown last, which fill a window of any size.
final class WindowPicture {
  /// How large the picture is.
  let size: PictureSize
  /// Four bytes a pixel: blue, green, red, and one that means nothing.
  let bytes: UnsafeMutableRawBufferPointer

  /// Makes a black one.
  init(_ size: PictureSize) {
    self.size = size
    bytes = .allocate(byteCount: 4 * size.width * size.height, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { bytes.deallocate() }

  /// Draws it in the middle of a picture of another size, as large as it can be: of each pixel there the nearest here.
  /// What is beside it stays.
  func draw(in target: UnsafeMutableRawBufferPointer, _ targetSize: PictureSize) {
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
