// SPDX-License-Identifier: Apache-2.0

internal import CTurboJPEG
public import FoundationEssentials
public import LockedCameraCapture

/// An encoder of JPEG files from frames and pictures; it may be used on any thread.
///
/// It is in a separate module so that only extensions that need JPEG load libjpeg-turbo. Two other modules import that
/// library. UIKit converts images in memory. CameraSource decodes the frames of cameras; it is separate because an
/// extension must not contain camera code, and the host must not contain the extension library.
public struct JPEGEncoder: Sendable {
  /// The JPEG quality, from 1 (smallest file) to 100 (best image).
  public let quality: Int

  /// Creates an encoder; a quality outside 1...100 is clamped.
  public init(quality: Int = 90) { self.quality = min(100, max(1, quality)) }

  /// Encodes a frame as a JPEG file (JFIF, 4:2:0).
  ///
  /// - Parameter frame: The frame. If it is not a copy, check ``LockedCameraCapture/CaptureFrame/isIntact``
  ///   afterwards.
  /// - Returns: The bytes of the file.
  /// - Throws: ``JPEGEncodingError`` if libjpeg-turbo fails.
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

  /// Encodes a picture as a JPEG file (JFIF, 4:2:0).
  ///
  /// - Parameter picture: The picture.
  /// - Returns: The bytes of the file.
  /// - Throws: ``JPEGEncodingError`` if libjpeg-turbo fails.
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

  /// Encodes three planes with the given memory layouts.
  private func encode(
    _ luma: RawSpan,
    _ blue: RawSpan,
    _ red: RawSpan,
    _ layouts: [PlaneLayout],
    width: Int,
    height: Int
  ) throws(JPEGEncodingError) -> [UInt8] {
    // libjpeg-turbo reads an even number of luma columns and rows; odd dimensions need padding.
    let isEven = width.isMultiple(of: 2) && height.isMultiple(of: 2)
    let padded = isEven ? [] : evenLuma(luma, layouts[0])
    let strides = [isEven ? layouts[0].stride : (width + 1) / 2 * 2, layouts[1].stride, layouts[2].stride]
    let evenPlane = isEven ? luma : padded.span.bytes
    return try compress(evenPlane, blue, red, strides: strides, width: width, height: height)
  }

  /// Returns the luma plane, padded to even dimensions by repeating the last column and row.
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
    guard let handle = tjInitCompress() else { throw JPEGEncodingError(reason: lastErrorMessage(nil)) }
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
    guard result == 0, let buffer else { throw JPEGEncodingError(reason: lastErrorMessage(handle)) }
    return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
  }

  private func lastErrorMessage(_ handle: tjhandle?) -> String {
    tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown reason"
  }
}

/// The error if a frame cannot be encoded as JPEG.
public struct JPEGEncodingError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The error message of libjpeg-turbo.
  public let reason: String

  /// The error message.
  public var description: String { "the frame cannot be encoded as JPEG: \(reason)" }

  /// The error message, for `localizedDescription`.
  public var errorDescription: String? { description }
}
