// SPDX-License-Identifier: Apache-2.0

internal import CTurboJPEG
package import ExtensionProtocol

/// Makes JPEG files of frames (libjpeg-turbo).
package enum JPEGWriter {
  /// How faithful the files are, of 100.
  private static let quality: Int32 = 90

  /// A frame of an even number of columns and rows as the bytes of a JPEG file (JFIF, 4:2:0); nil if the library
  /// cannot.
  package static func file(_ slot: UnsafeRawBufferPointer, _ layout: FrameRingGeometry) -> [UInt8]? {
    guard layout.width % 2 == 0, layout.height % 2 == 0, let handle = tjInitCompress() else { return nil }
    defer { tjDestroy(handle) }
    var planes = layout.planes.map {
      slot.baseAddress?.advanced(by: $0.offset).assumingMemoryBound(to: UInt8.self)
    }
    let strides = layout.planes.map { Int32($0.stride) }
    var buffer: UnsafeMutablePointer<UInt8>?
    defer { tjFree(buffer) }
    var size: UInt = 0
    let result = tjCompressFromYUVPlanes(
      handle,
      &planes,
      Int32(layout.width),
      strides,
      Int32(layout.height),
      Int32(TJSAMP_420.rawValue),
      &buffer,
      &size,
      quality,
      0
    )
    guard result == 0, let buffer else { return nil }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }
}
