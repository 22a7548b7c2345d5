// SPDX-License-Identifier: Apache-2.0

internal import CTurboJPEG
package import QuartzCore

/// The conversion between JPEG files and pixels with the components red, green and blue.
package enum JPEGPixels {
  /// Returns the pixels of a JPEG file.
  ///
  /// - Throws: ``ImagePixelsError`` if the file is damaged, or larger than ``ImagePixels/maximumCount``.
  package static func decode(_ file: [UInt8]) throws(ImagePixelsError) -> ImagePixels {
    guard let handle = tjInitDecompress() else { throw error(nil) }
    defer { tjDestroy(handle) }
    var (width, height, subsampling, colorSpace) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let size = UInt(file.count)
    guard tjDecompressHeader3(handle, file, size, &width, &height, &subsampling, &colorSpace) == 0 else {
      throw error(handle)
    }
    guard Int(width) * Int(height) <= ImagePixels.maximumCount else {
      throw ImagePixelsError("more than 48 million pixels")
    }
    var components = [UInt8](repeating: 0, count: 4 * Int(width) * Int(height))
    let format = Int32(TJPF_RGBA.rawValue)
    guard tjDecompress2(handle, file, size, &components, width, 0, height, format, 0) == 0 else {
      throw error(handle)
    }
    return ImagePixels(width: Int(width), height: Int(height), components: components)
  }

  /// Returns pixels as a JPEG file (JFIF, 4:2:0), which has no opacity.
  ///
  /// - Parameters:
  ///   - pixels: The pixels.
  ///   - quality: The JPEG quality, from 1 to 100.
  /// - Returns: The bytes of the file.
  /// - Throws: ``ImagePixelsError`` if libjpeg-turbo fails.
  package static func encode(_ pixels: ImagePixels, quality: Int) throws(ImagePixelsError) -> [UInt8] {
    guard let handle = tjInitCompress() else { throw error(nil) }
    defer { tjDestroy(handle) }
    var buffer: UnsafeMutablePointer<UInt8>?
    defer { tjFree(buffer) }
    var size: UInt = 0
    let result = tjCompress2(
      handle,
      pixels.components,
      Int32(pixels.width),
      0,
      Int32(pixels.height),
      Int32(TJPF_RGBA.rawValue),
      &buffer,
      &size,
      Int32(TJSAMP_420.rawValue),
      Int32(quality),
      0
    )
    guard result == 0, let buffer else { throw error(handle) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private static func error(_ handle: tjhandle?) -> ImagePixelsError {
    ImagePixelsError(tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown reason")
  }
}
