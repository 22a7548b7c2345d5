// SPDX-License-Identifier: Apache-2.0

internal import CPNG
internal import CTurboJPEG
package import ExtensionProtocol

/// Makes picture files of the frames of a ring.
package enum StillFile {
  /// The formats of such files.
  package enum Format: String, Sendable, CaseIterable {
    /// Without loss.
    case png
    /// Small, at a quality of 95 of 100.
    case jpeg

    /// The format that the end of a file's name says; nil: none of these.
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

  /// The file of a frame, whose planes follow each other without gaps (``FrameRingGeometry/pixels``).
  package static func encode(
    _ frame: [UInt8],
    _ geometry: FrameRingGeometry,
    as format: Format
  ) throws(StillFileError) -> [UInt8] {
    let picture = frame.withUnsafeBytes { PlanarPicture($0, layout: geometry) }
    switch format {
    case .png: return try encodePNG(picture)
    case .jpeg: return try encodeJPEG(picture)
    }
  }

  private static func encodeJPEG(_ picture: PlanarPicture) throws(StillFileError) -> [UInt8] {
    guard let library = TurboJPEGLibrary.functions else {
      throw StillFileError(.jpeg, TurboJPEGLibrary.fault)
    }
    guard let handle = library.InitCompress() else { throw StillFileError(.jpeg, library.reason(nil)) }
    defer { _ = library.Destroy(handle) }
    var buffer: UnsafeMutablePointer<UInt8>?
    defer { library.Free(buffer) }
    var size: UInt = 0
    let (width, height) = (Int32(picture.width), Int32(picture.height))
    let result = picture.withPlanes { planes, strides in
      // The library takes them as constant, and changes nothing.
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
    guard result == 0, let buffer else { throw StillFileError(.jpeg, library.reason(handle)) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private static func encodePNG(_ picture: PlanarPicture) throws(StillFileError) -> [UInt8] {
    guard let library = PNGLibrary.functions else { throw StillFileError(.png, PNGLibrary.fault) }
    let rgb = PixelBuffer(count: 3 * picture.width * picture.height)
    if let message = picture.decode(into: rgb) { throw StillFileError(.png, message) }
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(picture.width)
    image.height = UInt32(picture.height)
    image.format = UInt32(PNG_FORMAT_RGB)
    defer { library.image_free(&image) }
    let stride = Int32(3 * picture.width)
    // Incompressible pixels become a little longer: by a byte a row, and what stands around the blocks.
    var size = rgb.bytes.count + rgb.bytes.count / 256 + picture.height + 65536
    var file = [UInt8](repeating: 0, count: size)
    let result = library.image_write_to_memory(&image, &file, &size, 0, rgb.bytes.baseAddress, stride, nil)
    guard result != 0 else {
      throw StillFileError(
        .png,
        withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      )
    }
    return Array(file.prefix(size))
  }
}

extension PlanarPicture {
  /// How the bytes of pixels follow each other.
  enum PixelOrder {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red, and one that means nothing.
    case bgrx

    /// How many bytes a pixel has.
    var bytes: Int { self == .rgb ? 3 : 4 }
    /// The library's number of it.
    var format: Int32 { Int32(self == .rgb ? TJPF_RGB.rawValue : TJPF_BGRX.rawValue) }
  }

  /// Fills rows of pixels from the picture; gives the library's words if it refused.
  func decode(into rgb: UnsafeMutableRawBufferPointer, as order: PixelOrder = .rgb) -> String? {
    precondition(rgb.count >= order.bytes * width * height, "a picture with too little room")
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

  /// The same, into a buffer of its own.
  func decode(into rgb: PixelBuffer) -> String? { decode(into: rgb.bytes) }
}

/// A frame could not be made a picture file.
package struct StillFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it was to be.
  package let format: StillFile.Format
  /// Why not, in the library's words.
  package let message: String

  /// Describes it.
  init(_ format: StillFile.Format, _ message: String) { (self.format, self.message) = (format, message) }

  /// A sentence.
  package var description: String {
    "the frame cannot be written as \(format.rawValue.uppercased()): \(message)"
  }
}
