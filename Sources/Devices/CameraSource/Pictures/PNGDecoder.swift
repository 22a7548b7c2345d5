// SPDX-License-Identifier: Apache-2.0

internal import CPNG

/// A decoder of PNG files (libpng).
enum PNGDecoder {
  /// Decodes a file. Transparent pixels are blended with white.
  static func decode(_ file: [UInt8], name: String) throws(FrameSourceError) -> PlanarImage {
    guard let library = PNGLibrary.functions else {
      throw FrameSourceError(name, .libraryUnavailable(PNGLibrary.fault))
    }
    // `encode(rgb:)` needs this library to convert the pixels to planes.
    guard TurboJPEGLibrary.functions != nil else {
      throw FrameSourceError(name, .libraryUnavailable(TurboJPEGLibrary.fault))
    }
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    defer { library.image_free(&image) }
    if library.image_begin_read_from_memory(&image, file, file.count) == 0 { throw failure(image, name) }
    let (width, height) = (Int(image.width), Int(image.height))
    try StillImageSource.checkSize(width: width, height: height, name: name)
    image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
    // In practice, 16-bit files without a gamma chunk are sRGB, although the library treats them as linear.
    image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
    let rgb = PixelBuffer(count: 3 * width * height)
    var white = png_color(red: 255, green: 255, blue: 255)
    let result = library.image_finish_read(&image, &white, rgb.bytes.baseAddress, Int32(3 * width), nil)
    if result == 0 || image.warning_or_error > 1 { throw failure(image, name) }
    let picture = PlanarImage(width: width, height: height)
    if let message = picture.encode(rgb: rgb) {
      throw FrameSourceError(name, .undecodable(format: .png, message: message))
    }
    return picture
  }

  /// Returns an error with the library's last message.
  private static func failure(_ image: png_image, _ name: String) -> FrameSourceError {
    let message = withUnsafeBytes(of: image.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return FrameSourceError(name, .undecodable(format: .png, message: message))
  }
}
