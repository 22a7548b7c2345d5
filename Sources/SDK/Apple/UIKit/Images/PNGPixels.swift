// SPDX-License-Identifier: Apache-2.0

internal import CPNG
package import QuartzCore

/// The conversion between PNG files and pixels.
package enum PNGPixels {
  /// The bytes with which a PNG file starts.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// PNG_FORMAT_RGBA, an expression that Swift does not import.
  private static let format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)

  /// Returns the pixels of a PNG file.
  ///
  /// - Throws: `ImagePixelsError` if the file is damaged, or has more than 48 million pixels.
  package static func decode(_ file: [UInt8]) throws(ImagePixelsError) -> ImagePixels {
    var image = emptyImage()
    defer { png_image_free(&image) }
    // libpng refers to the bytes until the image is read completely.
    let pixels = file.withUnsafeBytes { bytes -> Result<ImagePixels, ImagePixelsError> in
      guard png_image_begin_read_from_memory(&image, bytes.baseAddress, bytes.count) != 0 else {
        return .failure(error(image))
      }
      let (width, height) = (Int(image.width), Int(image.height))
      guard width * height <= ImagePixels.maximumCount else {
        return .failure(ImagePixelsError("more than 48 million pixels"))
      }
      image.format = format
      var components = [UInt8](repeating: 0, count: 4 * width * height)
      guard png_image_finish_read(&image, nil, &components, 0, nil) != 0 else {
        return .failure(error(image))
      }
      return .success(ImagePixels(width: width, height: height, components: components))
    }
    return try pixels.get()
  }

  /// Returns pixels as a PNG file.
  ///
  /// - Throws: `ImagePixelsError` if libpng fails.
  package static func encode(_ pixels: ImagePixels) throws(ImagePixelsError) -> [UInt8] {
    var image = emptyImage()
    (image.width, image.height, image.format) = (UInt32(pixels.width), UInt32(pixels.height), format)
    // The first call determines the size of the file.
    var size = 0
    guard png_image_write_to_memory(&image, nil, &size, 0, pixels.components, 0, nil) != 0 else {
      throw error(image)
    }
    var file = [UInt8](repeating: 0, count: size)
    guard png_image_write_to_memory(&image, &file, &size, 0, pixels.components, 0, nil) != 0 else {
      throw error(image)
    }
    return Array(file.prefix(size))
  }

  private static func emptyImage() -> png_image {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    return image
  }

  private static func error(_ image: png_image) -> ImagePixelsError {
    let reason = withUnsafeBytes(of: image.message) { message in
      String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
    }
    return ImagePixelsError(reason)
  }
}
