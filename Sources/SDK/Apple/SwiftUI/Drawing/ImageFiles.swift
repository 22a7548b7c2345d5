// SPDX-License-Identifier: Apache-2.0

internal import CPNG
internal import Foundation
internal import LockedCameraCapture

/// The PNG files that views show, each of which is read once.
@MainActor
enum ImageFiles {
  private static var bitmaps: [String: Bitmap?] = [:]
  /// The largest number of pixels of an image: that of a camera with 48 megapixels.
  private static let maximumPixels = 48_000_000

  /// Returns the image of a file that was loaded, or `nil` if it could not be read.
  static func bitmap(_ name: String) -> Bitmap? { bitmaps[name] ?? nil }

  /// Reads a file of the bundle, unless it was read before.
  ///
  /// - Throws: ``ImageFileError``, at the first attempt only.
  static func load(_ name: String, in session: LockedCameraCaptureSession) throws {
    guard bitmaps[name] == nil else { return }
    bitmaps[name] = .some(nil)
    let file = name.hasSuffix(".png") ? name : "\(name).png"
    let path = session.bundleURL.appending(path: file, directoryHint: .notDirectory).path(
      percentEncoded: false
    )
    bitmaps[name] = .some(try read(path))
  }

  private static func read(_ path: String) throws(ImageFileError) -> Bitmap {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    defer { png_image_free(&image) }
    guard png_image_begin_read_from_file(&image, path) != 0 else { throw ImageFileError(path, image) }
    let (width, height) = (Int(image.width), Int(image.height))
    guard width * height <= maximumPixels else { throw ImageFileError(path, "more than 48 million pixels") }
    // PNG_FORMAT_RGBA, an expression that Swift does not import.
    image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
    var pixels = [UInt8](repeating: 0, count: 4 * width * height)
    guard png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 else { throw ImageFileError(path, image) }
    return Bitmap(width: width, height: height, pixels: pixels)
  }
}

/// An image file that cannot be read.
struct ImageFileError: Error, CustomStringConvertible {
  let path: String
  let reason: String

  init(_ path: String, _ reason: String) { (self.path, self.reason) = (path, reason) }

  /// Creates the error that libpng has stored.
  init(_ path: String, _ image: png_image) {
    self.path = path
    reason = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  var description: String { "\(path): \(reason); add a PNG file to the extension's bundle" }
}
