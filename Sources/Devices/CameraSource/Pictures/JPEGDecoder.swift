// SPDX-License-Identifier: Apache-2.0

internal import CTurboJPEG
internal import ExtensionProtocol

/// A decoder of JPEG files (libjpeg-turbo).
enum JPEGDecoder {
  /// The values of a file's header.
  private struct Header {
    /// The width in pixels.
    var width: Int32 = 0
    /// The height in pixels.
    var height: Int32 = 0
    /// The chroma subsampling; a `TJSAMP` value.
    var sampling: Int32 = 0
    /// The color space; a `TJCS` value.
    var colours: Int32 = 0

    /// Whether the planes of the file are I420.
    var isI420: Bool {
      sampling == Int32(TJSAMP_420.rawValue) && colours == Int32(TJCS_YCbCr.rawValue)
    }

    /// Whether the color space is CMYK or YCCK.
    var isCMYK: Bool { colours == Int32(TJCS_CMYK.rawValue) || colours == Int32(TJCS_YCCK.rawValue) }
  }

  /// Decodes a file.
  static func decode(_ file: [UInt8], name: String) throws(FrameSourceError) -> PlanarImage {
    guard let library = TurboJPEGLibrary.functions else {
      throw FrameSourceError(name, .libraryUnavailable(TurboJPEGLibrary.fault))
    }
    guard let handle = library.InitDecompress() else { throw failure(library, nil, name) }
    defer { _ = library.Destroy(handle) }
    var header = Header()
    let size = UInt(file.count)
    let result = library.DecompressHeader3(
      handle,
      file,
      size,
      &header.width,
      &header.height,
      &header.sampling,
      &header.colours
    )
    if result != 0 { throw failure(library, handle, name) }
    let (width, height) = (Int(header.width), Int(header.height))
    // The library reports no error here: a file can contain only tables, for images in other files.
    guard width > 0, height > 0 else {
      throw FrameSourceError(name, .undecodable(format: .jpeg, message: "it contains no image"))
    }
    try StillImageSource.checkSize(width: width, height: height, name: name)
    if header.isCMYK { throw FrameSourceError(name, .unsupportedColor(format: .jpeg, "CMYK")) }
    let picture = PlanarImage(width: width, height: height)
    if header.isI420 {
      let result = picture.withPlanes { planes, strides in
        library.DecompressToYUVPlanes(handle, file, size, planes, header.width, strides, header.height, 0)
      }
      try check(result, library, handle, name)
    } else {
      try decodeThroughRGB(file, header, library, handle, into: picture, name: name)
    }
    return picture
  }

  /// Decodes a file that is not in I420.
  private static func decodeThroughRGB(
    _ file: [UInt8],
    _ header: Header,
    _ library: darkroom_turbojpeg,
    _ handle: tjhandle,
    into picture: PlanarImage,
    name: String
  ) throws(FrameSourceError) {
    let rgb = PixelBuffer(count: 3 * picture.width * picture.height)
    let start = rgb.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let format = Int32(TJPF_RGB.rawValue)
    let result = library.Decompress2(
      handle,
      file,
      UInt(file.count),
      start,
      header.width,
      3 * header.width,
      header.height,
      format,
      0
    )
    try check(result, library, handle, name)
    if let message = picture.encode(rgb: rgb) {
      throw FrameSourceError(name, .undecodable(format: .jpeg, message: message))
    }
  }

  /// Throws if a file is damaged.
  ///
  /// The library decodes as much as it can and reports a warning. Extraneous bytes between segments are
  /// harmless and frequent in files from cameras. After any other warning, a part of the image is gray.
  private static func check(
    _ result: Int32,
    _ library: darkroom_turbojpeg,
    _ handle: tjhandle,
    _ name: String
  ) throws(FrameSourceError) {
    if result == 0 { return }
    let isWarning = library.GetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    if isWarning && library.reason(handle).contains("extraneous bytes before marker") { return }
    throw failure(library, handle, name)
  }

  /// Returns an error with the library's last message.
  private static func failure(
    _ library: darkroom_turbojpeg,
    _ handle: tjhandle?,
    _ name: String
  ) -> FrameSourceError {
    FrameSourceError(name, .undecodable(format: .jpeg, message: library.reason(handle)))
  }
}
