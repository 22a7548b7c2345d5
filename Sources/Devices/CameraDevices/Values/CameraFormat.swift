// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// A size that a device supports in a format, with its rates.
package struct CameraSize: Hashable, Sendable {
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// The rates as the device lists them, or the two ends of a range. Empty if the device lists none.
  package var rates: [FrameRate]

  /// Creates a size from its parts.
  package init(width: Int, height: Int, rates: [FrameRate] = []) {
    self.width = width
    self.height = height
    self.rates = rates
  }
}

/// The sizes that a device supports in a format. The corresponding request is `VIDIOC_ENUM_FRAMESIZES`.
package enum CameraSizes: Hashable, Sendable {
  /// Individual sizes, in the order of the device.
  case listed([CameraSize])
  /// All sizes between two, in steps of the given numbers of pixels.
  case range(from: CameraSize, to: CameraSize, widthStep: Int, heightStep: Int)
}

/// A format that a device supports. The corresponding request is `VIDIOC_ENUM_FMT`.
package struct CameraFormat: Hashable, Sendable {
  package var pixels: PixelFormat
  /// The driver's description.
  package var title: String
  package var sizes: CameraSizes

  /// Creates a format from its parts.
  package init(_ pixels: PixelFormat, title: String, sizes: CameraSizes) {
    self.pixels = pixels
    self.title = title
    self.sizes = sizes
  }
}

/// The active format of a device. The corresponding request is `VIDIOC_S_FMT`.
package struct ActiveCameraFormat: Hashable, Sendable {
  package var pixels: PixelFormat
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// The distance between two rows in bytes, or 0 if the driver does not report it.
  package var stride: Int
  /// The maximum size of a frame, in bytes.
  package var bytes: Int
  package var range: ColorRange

  /// The minimum size of a complete frame in bytes, or `nil` if it depends on the content.
  var minimumBytes: Int? {
    guard let bits = pixels.bitsPerPixel else { return nil }
    // The chroma of planar formats follows the rows of luma.
    let isPlanar = bits == 12
    let row = max(stride, isPlanar ? width : width * bits / 8)
    return isPlanar ? row * height * 3 / 2 : row * height
  }

  /// Creates a format from its parts.
  package init(
    _ pixels: PixelFormat,
    width: Int,
    height: Int,
    stride: Int = 0,
    bytes: Int = 0,
    range: ColorRange = .limited
  ) {
    self.pixels = pixels
    self.width = width
    self.height = height
    self.stride = stride
    self.bytes = bytes
    self.range = range
  }
}
