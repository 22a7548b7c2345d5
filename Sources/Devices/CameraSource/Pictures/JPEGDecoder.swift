// SPDX-License-Identifier: Apache-2.0

internal import CTurboJPEG
internal import ExtensionProtocol

/// Decodes JPEG files (libjpeg-turbo).
enum JPEGDecoder {
  /// What a file's header says.
  private struct Header {
    /// Pixels in a row.
    var width: Int32 = 0
    /// Rows.
    var height: Int32 = 0
    /// How chroma is sampled; a `TJSAMP` value.
    var sampling: Int32 = 0
    /// How colours are expressed; a `TJCS` value.
    var colours: Int32 = 0

    /// Whether the file's planes are those of I420.
    var isI420: Bool {
      sampling == Int32(TJSAMP_420.rawValue) && colours == Int32(TJCS_YCbCr.rawValue)
    }

    /// Whether the colours are meant for a printer.
    var isCMYK: Bool { colours == Int32(TJCS_CMYK.rawValue) || colours == Int32(TJCS_YCCK.rawValue) }
  }

  /// Decodes a whole file.
  static func decode(_ file: [UInt8], name: String) throws(FrameSourceError) -> PlanarPicture {
    guard let library = TurboJPEGLibrary.functions else {
      throw FrameSourceError(name, .library(TurboJPEGLibrary.fault))
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
    // No error to the library: a file may have tables alone, for pictures in other files.
    guard width > 0, height > 0 else {
      throw FrameSourceError(name, .picture(format: .jpeg, message: "it ends before its picture begins"))
    }
    try StillPictureSource.checkSize(width: width, height: height, name: name)
    if header.isCMYK { throw FrameSourceError(name, .colours(format: .jpeg, "CMYK")) }
    let picture = PlanarPicture(width: width, height: height)
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

  /// Decodes a file whose planes are not those of I420.
  private static func decodeThroughRGB(
    _ file: [UInt8],
    _ header: Header,
    _ library: darkroom_turbojpeg,
    _ handle: tjhandle,
    into picture: PlanarPicture,
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
      throw FrameSourceError(name, .picture(format: .jpeg, message: message))
    }
  }

  /// Throws if a file is damaged.
  ///
  /// The library decodes what it can and warns. Bytes too many between segments are harmless and frequent in files
  /// from cameras; every other warning means that part of the picture is grey.
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

  /// The library's last message as an error.
  private static func failure(
    _ library: darkroom_turbojpeg,
    _ handle: tjhandle?,
    _ name: String
  ) -> FrameSourceError {
    FrameSourceError(name, .picture(format: .jpeg, message: library.reason(handle)))
  }
}
