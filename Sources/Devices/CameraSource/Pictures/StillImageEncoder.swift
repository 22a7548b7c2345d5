// SPDX-License-Identifier: Apache-2.0

internal import CPNG
internal import CTurboJPEG
package import ExtensionProtocol

/// An encoder that creates image files from frames.
package enum StillImageEncoder {
  /// The formats of the files.
  package enum Format: String, Sendable, CaseIterable {
    /// Lossless.
    case png
    /// Lossy, at quality 95 of 100.
    case jpeg

    /// Creates the format for the extension of a file name, or returns `nil` if the extension is unknown.
    package init?(nameOf path: String) {
      guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
      switch path[dot...].dropFirst().lowercased() {
      case "png": self = .png
      case "jpg", "jpeg": self = .jpeg
      default: return nil
      }
    }
  }

  /// The quality of JPEG files.
  private static let quality: Int32 = 95

  /// Encodes a frame, whose planes must follow each other without gaps (``FrameRingGeometry/pixels``).
  package static func encode(
    _ frame: [UInt8],
    _ geometry: FrameRingGeometry,
    as format: Format
  ) throws(StillImageEncodingError) -> [UInt8] {
    let picture = frame.withUnsafeBytes { PlanarImage($0, layout: geometry) }
    switch format {
    case .png: return try encodePNG(picture)
    case .jpeg: return try encodeJPEG(picture)
    }
  }

  private static func encodeJPEG(_ picture: PlanarImage) throws(StillImageEncodingError) -> [UInt8] {
    guard let library = TurboJPEGLibrary.functions else {
      throw StillImageEncodingError(.jpeg, TurboJPEGLibrary.fault)
    }
    guard let handle = library.InitCompress() else {
      throw StillImageEncodingError(.jpeg, library.reason(nil))
    }
    defer { _ = library.Destroy(handle) }
    var buffer: UnsafeMutablePointer<UInt8>?
    defer { library.Free(buffer) }
    var size: UInt = 0
    let (width, height) = (Int32(picture.width), Int32(picture.height))
    let result = picture.withPlanes { planes, strides in
      // The library only reads the planes.
      var constant = (0..<3).map { planes[$0].map { UnsafePointer($0) } }
      let sampling = Int32(TJSAMP_420.rawValue)
      return library.CompressFromYUVPlanes(
        handle,
        &constant,
        width,
        strides,
        height,
        sampling,
        &buffer,
        &size,
        quality,
        0
      )
    }
    guard result == 0, let buffer else { throw StillImageEncodingError(.jpeg, library.reason(handle)) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private static func encodePNG(_ picture: PlanarImage) throws(StillImageEncodingError) -> [UInt8] {
    guard let library = PNGLibrary.functions else { throw StillImageEncodingError(.png, PNGLibrary.fault) }
    let rgb = PixelBuffer(count: 3 * picture.width * picture.height)
    if let message = picture.decode(into: rgb) { throw StillImageEncodingError(.png, message) }
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(picture.width)
    image.height = UInt32(picture.height)
    image.format = UInt32(PNG_FORMAT_RGB)
    defer { library.image_free(&image) }
    let stride = Int32(3 * picture.width)
    // Incompressible pixels grow by one byte per row, plus the headers of the deflate blocks.
    var size = rgb.bytes.count + rgb.bytes.count / 256 + picture.height + 65536
    var file = [UInt8](repeating: 0, count: size)
    let result = library.image_write_to_memory(&image, &file, &size, 0, rgb.bytes.baseAddress, stride, nil)
    guard result != 0 else {
      throw StillImageEncodingError(
        .png,
        withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      )
    }
    return Array(file.prefix(size))
  }
}

extension PlanarImage {
  /// The order of the bytes of a pixel.
  enum PixelOrder {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red, and an unused byte.
    case bgrx

    /// The number of bytes of a pixel.
    var bytes: Int { self == .rgb ? 3 : 4 }
    /// The corresponding `TJPF` value.
    var format: Int32 { Int32(self == .rgb ? TJPF_RGB.rawValue : TJPF_BGRX.rawValue) }
  }

  /// Converts the image to rows of pixels. Returns the library's message if the conversion failed, or `nil`.
  func decode(into rgb: UnsafeMutableRawBufferPointer, as order: PixelOrder = .rgb) -> String? {
    precondition(rgb.count >= order.bytes * width * height, "the buffer is too small for the image")
    guard let library = TurboJPEGLibrary.functions else { return TurboJPEGLibrary.fault }
    guard let handle = library.InitDecompress() else { return library.reason(nil) }
    defer { _ = library.Destroy(handle) }
    let result = withPlanes { planes, strides in
      var constant = (0..<3).map { planes[$0].map { UnsafePointer($0) } }
      let start = rgb.baseAddress?.assumingMemoryBound(to: UInt8.self)
      let (sampling, format) = (Int32(TJSAMP_420.rawValue), order.format)
      return library.DecodeYUVPlanes(
        handle,
        &constant,
        strides,
        sampling,
        start,
        Int32(width),
        Int32(order.bytes * width),
        Int32(height),
        format,
        0
      )
    }
    return result == 0 ? nil : library.reason(handle)
  }

  /// Converts the image to rows of red, green and blue bytes. Returns the library's message if the conversion
  /// failed, or `nil`.
  func decode(into rgb: PixelBuffer) -> String? { decode(into: rgb.bytes) }
}

/// A failure to encode a frame as an image file.
package struct StillImageEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The format of the file.
  package let format: StillImageEncoder.Format
  /// The library's message.
  package let message: String

  /// Creates an error from its parts.
  init(_ format: StillImageEncoder.Format, _ message: String) {
    (self.format, self.message) = (format, message)
  }

  /// The failure, with the format and the message.
  package var description: String {
    "the frame cannot be encoded as \(format.rawValue.uppercased()): \(message)"
  }
}
