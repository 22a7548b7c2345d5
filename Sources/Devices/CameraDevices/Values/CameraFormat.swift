// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// A size that a device has in a format, and how fast.
package struct CameraSize: Hashable, Sendable {
  /// Pixels in a row.
  package var width: Int
  /// Rows.
  package var height: Int
  /// The rates, as the device lists them; of a range its two ends. Empty: it does not say.
  package var rates: [FrameRate]

  /// Describes a size.
  package init(width: Int, height: Int, rates: [FrameRate] = []) {
    self.width = width
    self.height = height
    self.rates = rates
  }
}

/// Which sizes a device has in a format. The corresponding request is `VIDIOC_ENUM_FRAMESIZES`.
package enum CameraSizes: Hashable, Sendable {
  /// These, in the device's order.
  case listed([CameraSize])
  /// Every one from the first to the last, in steps of so many pixels.
  case range(from: CameraSize, to: CameraSize, widthStep: Int, heightStep: Int)
}

/// A format that a device has. The corresponding request is `VIDIOC_ENUM_FMT`.
package struct CameraFormat: Hashable, Sendable {
  /// How the pixels are laid out.
  package var pixels: PixelFormat
  /// The driver's words for it.
  package var title: String
  /// The sizes.
  package var sizes: CameraSizes

  /// Describes a format.
  package init(_ pixels: PixelFormat, title: String, sizes: CameraSizes) {
    self.pixels = pixels
    self.title = title
    self.sizes = sizes
  }
}

/// A format as a device is set to it. The corresponding request is `VIDIOC_S_FMT`.
package struct CameraPicture: Hashable, Sendable {
  /// How the pixels are laid out.
  package var pixels: PixelFormat
  /// Pixels in a row.
  package var width: Int
  /// Rows.
  package var height: Int
  /// From one row to the next, in bytes; 0: the driver does not say.
  package var stride: Int
  /// The most bytes of a frame.
  package var bytes: Int
  /// Which numbers stand for black and white.
  package var range: ColorRange

  /// How many bytes a whole frame has at least; nil: it depends on what is to be seen.
  var leastBytes: Int? {
    guard let bits = pixels.bitsPerPixel else { return nil }
    // Planes have their chroma behind the rows of luminance.
    let isPlanar = bits == 12
    let row = max(stride, isPlanar ? width : width * bits / 8)
    return isPlanar ? row * height * 3 / 2 : row * height
  }

  /// Describes a picture.
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
