// SPDX-License-Identifier: Apache-2.0

internal import CTurboJPEG
public import LockedCameraCapture

/// Makes JPEG files of frames and of pictures that were made of them.
///
/// It is a module of its own so that only extensions that want JPEG load libjpeg-turbo. That library has a second
/// importer, CameraSource, which decodes: an extension must not carry a camera, nor the host what extensions are
/// made of.
public struct JPEGEncoder: Sendable {
  /// From 1, small, to 100, faithful.
  public let quality: Int

  /// Makes an encoder; a quality outside 1...100 is moved to the nearer end.
  public init(quality: Int = 90) { self.quality = min(100, max(1, quality)) }

  /// The frame as the bytes of a JPEG file (JFIF, 4:2:0).
  public func encode(_ frame: borrowing CaptureFrame) throws(JPEGEncodingError) -> [UInt8] {
    let layouts = CaptureFrame.Plane.allCases.map { frame.layout(of: $0) }
    let (width, height) = (frame.width, frame.height)
    return try frame.withPlane(.luma) { luma throws(JPEGEncodingError) in
      try frame.withPlane(.blue) { blue throws(JPEGEncodingError) in
        try frame.withPlane(.red) { red throws(JPEGEncodingError) in
          try encode(luma, blue, red, layouts, width: width, height: height)
        }
      }
    }
  }

  /// The picture as the bytes of a JPEG file (JFIF, 4:2:0).
  public func encode(_ picture: EditablePicture) throws(JPEGEncodingError) -> [UInt8] {
    let layouts = CaptureFrame.Plane.allCases.map(picture.layout)
    let (luma, blue, red) = (picture.bytes(of: .luma), picture.bytes(of: .blue), picture.bytes(of: .red))
    return try encode(
      luma.span.bytes,
      blue.span.bytes,
      red.span.bytes,
      layouts,
      width: picture.width,
      height: picture.height
    )
  }

  /// Encodes three planes that lie in memory as `layouts` says.
  private func encode(
    _ luma: RawSpan,
    _ blue: RawSpan,
    _ red: RawSpan,
    _ layouts: [PlaneLayout],
    width: Int,
    height: Int
  ) throws(JPEGEncodingError) -> [UInt8] {
    // The library reads an even number of luma samples and rows; an odd picture has one less.
    let isEven = width.isMultiple(of: 2) && height.isMultiple(of: 2)
    let padded = isEven ? [] : evenLuma(luma, layouts[0])
    let strides = [isEven ? layouts[0].stride : (width + 1) / 2 * 2, layouts[1].stride, layouts[2].stride]
    let top = isEven ? luma : padded.span.bytes
    return try compress(top, blue, red, strides: strides, width: width, height: height)
  }

  /// The luma plane with its last column and row doubled where that makes their number even.
  private func evenLuma(_ luma: RawSpan, _ layout: PlaneLayout) -> [UInt8] {
    let (width, height) = ((layout.width + 1) / 2 * 2, (layout.height + 1) / 2 * 2)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height)
    for row in 0..<height {
      let start = min(row, layout.height - 1) * layout.stride
      for column in 0..<width {
        let offset = start + min(column, layout.width - 1)
        bytes.append(luma.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      }
    }
    return bytes
  }

  private func compress(
    _ luma: RawSpan,
    _ blue: RawSpan,
    _ red: RawSpan,
    strides: [Int],
    width: Int,
    height: Int
  ) throws(JPEGEncodingError) -> [UInt8] {
    guard let handle = tjInitCompress() else { throw JPEGEncodingError(reason: lastReason(nil)) }
    defer { tjDestroy(handle) }
    var buffer: UnsafeMutablePointer<UInt8>?
    defer { tjFree(buffer) }
    var size: UInt = 0
    let result = luma.withUnsafeBytes { luma in
      blue.withUnsafeBytes { blue in
        red.withUnsafeBytes { red in
          var planes = [luma, blue, red].map { $0.baseAddress?.assumingMemoryBound(to: UInt8.self) }
          let strides = strides.map(Int32.init)
          let (width, height) = (Int32(width), Int32(height))
          let sampling = Int32(TJSAMP_420.rawValue)
          return tjCompressFromYUVPlanes(
            handle,
            &planes,
            width,
            strides,
            height,
            sampling,
            &buffer,
            &size,
            Int32(quality),
            0
          )
        }
      }
    }
    guard result == 0, let buffer else { throw JPEGEncodingError(reason: lastReason(handle)) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private func lastReason(_ handle: tjhandle?) -> String {
    tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown reason"
  }
}

/// A frame could not be made a JPEG file.
public struct JPEGEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in libjpeg-turbo's words.
  public let reason: String

  /// A sentence.
  public var description: String { "the frame could not be written as JPEG: \(reason)" }
}
