// SPDX-License-Identifier: Apache-2.0

/// An uncompressed image file with 8 bits of red, green and blue per pixel, and with Exif metadata (TIFF, revision 6.0).
package struct TIFFFile {
  /// The bytes of the file.
  package let bytes: [UInt8]

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - description: The description of the photo.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - colors: Red, green, blue and opacity of each pixel, row by row. The file has no opacity.
  package init(_ description: PhotoDescription, width: Int, height: Int, colors: [UInt8]) {
    var directories = ExifDirectories(description, width: width, height: height)
    let count = 3 * width * height
    directories.image.addLong(0x0100, width)
    directories.image.addLong(0x0101, height)
    directories.image.addShort(0x0102, 8, 8, 8)
    // No compression, the color space RGB, and three samples per pixel in one strip.
    directories.image.addShort(0x0103, 1)
    directories.image.addShort(0x0106, 2)
    directories.image.addShort(0x0115, 3)
    directories.image.addLong(0x0116, height)
    directories.image.addLong(0x0117, count)
    // The format requires a resolution: 72 pixels per inch.
    directories.image.addRational(0x011A, 72)
    directories.image.addRational(0x011B, 72)
    directories.image.addShort(0x0128, 2)
    directories.image.addLong(0x0111, directories.size + TIFFDirectory.entrySize)
    var bytes = directories.bytes
    bytes.reserveCapacity(bytes.count + count)
    for index in 0..<4 * width * height where index % 4 != 3 { bytes.append(colors[index]) }
    self.bytes = bytes
  }
}
