// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// Writes the samples of a sensor as a file in Adobe's format for raw images (DNG, version 1.4), with Exif metadata.
///
/// The samples are stored without compression and without a change. The sensor's colors are unknown: the file declares those of
/// sRGB, and as the white point the averages of the image, so that an editor shows an image without a color cast.
public struct DNGEncoder {
  /// Creates an encoder.
  public init() {}

  /// Encodes the samples of a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame. If it is not a copy, check ``LockedCameraCapture/CaptureFrame/isIntact`` afterwards.
  ///   - description: The description of the photo.
  /// - Returns: The bytes of the file, or `nil` if the frame has no samples of a sensor
  ///   (``LockedCameraCapture/CaptureFrame/rawFormat``).
  public func encode(
    _ frame: borrowing CaptureFrame,
    describedBy description: PhotoDescription
  ) -> [UInt8]? {
    guard let format = frame.rawFormat else { return nil }
    return frame.withRawSamples { samples in
      samples.withUnsafeBytes { DNGFile(description, format, $0).bytes }
    }
  }
}

/// A file in Adobe's format for raw images.
private struct DNGFile {
  let bytes: [UInt8]

  init(_ description: PhotoDescription, _ format: RawFormat, _ samples: UnsafeRawBufferPointer) {
    var directories = ExifDirectories(description, width: format.width, height: format.height)
    let rowBytes = format.width * format.bytesPerSample
    directories.image.addImageLayout(format, count: rowBytes * format.height)
    directories.image.addText(0xC614, description.camera ?? "unknown camera")
    directories.image.addColors(format, averages: Self.averages(format, samples))
    directories.image.addLong(0x0111, directories.size + TIFFDirectory.entrySize)
    var bytes = directories.bytes
    bytes.reserveCapacity(bytes.count + rowBytes * format.height)
    for row in 0..<format.height {
      let row = samples[row * format.stride..<row * format.stride + rowBytes]
      if format.bytesPerSample == 1 { bytes.append(contentsOf: row) } else { bytes.appendSwapped(row) }
    }
    self.bytes = bytes
  }

  /// Returns the average samples of red, green and blue, at least 1.
  private static func averages(_ format: RawFormat, _ samples: UnsafeRawBufferPointer) -> [Int] {
    let colors = format.pattern.colors
    var sums = [0, 0, 0]
    var counts = [0, 0, 0]
    for row in 0..<format.height {
      for column in 0..<format.width {
        let color = colors[row % 2 * 2 + column % 2]
        sums[color] += Int(format.sample(row: row, column: column, in: samples))
        counts[color] += 1
      }
    }
    return zip(sums, counts).map { max(1, $0 / max(1, $1)) }
  }
}

extension TIFFDirectory {
  /// Adds the size, the number of bits and the arrangement of the samples.
  fileprivate mutating func addImageLayout(_ format: RawFormat, count: Int) {
    // The full image.
    addLong(0x00FE, 0)
    addLong(0x0100, format.width)
    addLong(0x0101, format.height)
    addShort(0x0102, 8 * format.bytesPerSample)
    // No compression, the samples of a color filter, one sample per pixel in one strip.
    addShort(0x0103, 1)
    addShort(0x0106, 32803)
    addShort(0x0115, 1)
    addLong(0x0116, format.height)
    addLong(0x0117, count)
    addShort(0x011C, 1)
  }

  /// Adds the color filter and the interpretation of colors.
  fileprivate mutating func addColors(_ format: RawFormat, averages: [Int]) {
    // The filter repeats after 2 by 2 pixels.
    addShort(0x828D, 2, 2)
    addBytes(0x828E, format.pattern.colors.map { UInt8($0) })
    addBytes(0xC612, [1, 4, 0, 0])
    addBytes(0xC613, [1, 1, 0, 0])
    addLong(0xC61D, (1 << format.bitsPerSample) - 1)
    // From XYZ to sRGB with linear values (IEC 61966-2-1).
    let matrix = [32406, -15372, -4986, -9689, 18758, 415, 557, -2040, 10570]
    addRationals(0xC621, matrix, denominator: 10000, isSigned: true)
    addRationals(0xC628, averages, denominator: averages.max() ?? 1)
    // The matrix is for daylight, D65.
    addShort(0xC65A, 21)
  }
}

extension RawFormat.Pattern {
  /// The colors of the first two pixels of the first row, and of the second row: 0 is red, 1 green and 2 blue.
  fileprivate var colors: [Int] {
    switch self {
    case .bggr: [2, 1, 1, 0]
    case .gbrg: [1, 2, 0, 1]
    case .grbg: [1, 0, 2, 1]
    case .rggb: [0, 1, 1, 2]
    }
  }
}

extension [UInt8] {
  /// Appends pairs of bytes in reverse order.
  fileprivate mutating func appendSwapped(_ pairs: Slice<UnsafeRawBufferPointer>) {
    for offset in stride(from: pairs.startIndex, to: pairs.endIndex, by: 2) {
      append(pairs[offset + 1])
      append(pairs[offset])
    }
  }
}
