// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import ViewfinderLink

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

  /// Returns the position and the size of the drawn image in another image.
  private func placement(in targetSize: ImageSize) -> (left: Int, top: Int, shown: ImageSize) {
    let shown = targetSize.fitting(size)
    return ((targetSize.width - shown.width) / 2, (targetSize.height - shown.height) / 2, shown)
  }

  /// Returns the message about a contact with the drawn image, whose position is in pixels of the image, or
  /// `nil` if the contact begins outside the image.
  func packet(_ change: SurfaceContacts.Change, in targetSize: ImageSize) -> PointerPacket? {
    let (left, top, shown) = placement(in: targetSize)
    let x = (change.point.x - Double(left)) * Double(size.width) / Double(shown.width)
    let y = (change.point.y - Double(top)) * Double(size.height) / Double(shown.height)
    let isInside = (0..<Double(size.width)).contains(x) && (0..<Double(size.height)).contains(y)
    guard isInside || change.phase != .began else { return nil }
    return PointerPacket(change.phase, contact: change.contact, x: x, y: y)
  }

  /// Draws the image centered and as large as possible in another image, with nearest-neighbor scaling.
  /// Pixels around it are not changed.
  func draw(in target: UnsafeMutableRawBufferPointer, _ targetSize: ImageSize) {
    let (left, top, shown) = placement(in: targetSize)
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
