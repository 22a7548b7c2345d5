// SPDX-License-Identifier: Apache-2.0

/// The segment of a JPEG file with Exif metadata (CIPA DC-008, version 2.32).
struct ExifSegment {
  /// The bytes of the segment, from its marker to its end.
  let bytes: [UInt8]

  /// Creates the segment of an image with a size in pixels.
  init(_ description: PhotoDescription, width: Int, height: Int) {
    let directories = ExifDirectories(description, width: width, height: height)
    let content = Array("Exif\0\0".utf8) + directories.bytes
    bytes = [0xFF, 0xE1] + (content.count + 2).bigEndianBytes(2) + content
  }
}

/// The directories of a TIFF file with Exif metadata.
struct ExifDirectories {
  /// The first directory, which describes the image.
  var image = TIFFDirectory()
  /// The directory of Exif, which describes the capture.
  private var photo = TIFFDirectory()
  /// The number of bytes before the first directory.
  private static let headerSize = 8

  /// Creates the directories of an image with a size in pixels.
  init(_ description: PhotoDescription, width: Int, height: Int) {
    if let camera = description.camera { image.addText(0x0110, camera) }
    image.addShort(0x0112, description.orientation)
    photo.addUndefined(0x9000, Array("0232".utf8))
    if let date = description.exifDate {
      image.addText(0x0132, date)
      photo.addText(0x9003, date)
      photo.addText(0x9011, "+00:00")
    }
    if let isFlashFired = description.isFlashFired { photo.addShort(0x9209, isFlashFired ? 1 : 0) }
    photo.addLong(0xA002, width)
    photo.addLong(0xA003, height)
  }

  /// The number of bytes of the file with both directories.
  var size: Int { Self.headerSize + image.size + TIFFDirectory.entrySize + photo.size }

  /// The bytes of the file: the header and both directories, of which the first one refers to the second one.
  var bytes: [UInt8] {
    let header = Array("MM".utf8) + 42.bigEndianBytes(2) + Self.headerSize.bigEndianBytes(4)
    var image = image
    image.addLong(0x8769, header.count + image.size + TIFFDirectory.entrySize)
    let first = image.bytes(at: header.count)
    return header + first + photo.bytes(at: header.count + first.count)
  }
}
