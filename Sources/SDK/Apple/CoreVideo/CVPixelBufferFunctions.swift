// SPDX-License-Identifier: Apache-2.0
// The functions and constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The result of a function of Core Video: 0 for success.
public typealias CVReturn = Int32

/// The function succeeded.
public let kCVReturnSuccess: CVReturn = 0
/// An argument is invalid.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// The pixel format is not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The size is not between 1 and 16384 in each direction.
public let kCVReturnInvalidSize: CVReturn = -6681
/// The host has overwritten the frame, so that the pixels that were read may belong to a later frame.
///
/// Apple's systems do not have this result, because there the camera waits for a buffer.
public let kCVReturnFrameOverwritten: CVReturn = -6690

/// The default allocator, which is the only one.
public let kCFAllocatorDefault: Never? = nil

/// Options for access to the memory of a pixel buffer.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: UInt64

  /// Creates options from their bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The caller only reads.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Starts access to the memory of a buffer.
///
/// - Returns: ``kCVReturnSuccess``, or ``kCVReturnFrameOverwritten`` if the host has overwritten the frame.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer,
  _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn { pixelBuffer.isIntact ? kCVReturnSuccess : kCVReturnFrameOverwritten }

/// Ends access to the memory of a buffer.
///
/// - Returns: ``kCVReturnSuccess``, or ``kCVReturnFrameOverwritten`` if the host has overwritten the frame
///   since ``CVPixelBufferLockBaseAddress(_:_:)``.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer,
  _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn { pixelBuffer.isIntact ? kCVReturnSuccess : kCVReturnFrameOverwritten }

/// Returns the width of a buffer in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// Returns the height of a buffer in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// Returns the pixel format of a buffer.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.format.rawValue
}

/// Returns whether the format of a buffer has planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.format.isPlanar }

/// Returns the number of planes, or 0 for a format without planes.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.format.isPlanar ? pixelBuffer.planes.count : 0
}

/// Returns the address of the first pixel; for a format with planes, the address of the first plane.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  pixelBuffer.planes[0].base
}

/// Returns the number of bytes between the starts of adjacent rows; for a format with planes, of the first
/// plane.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.planes[0].rowBytes
}

/// Returns the address of the first sample of a plane, or `nil` if there is no such plane.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer,
  _ planeIndex: Int
) -> UnsafeMutableRawPointer? { plane(planeIndex, of: pixelBuffer)?.base }

/// Returns the number of bytes between the starts of adjacent rows of a plane, or 0 if there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.rowBytes ?? 0
}

/// Returns the width of a plane in samples, or 0 if there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.width ?? 0
}

/// Returns the number of rows of a plane, or 0 if there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.height ?? 0
}

/// Creates a buffer with memory of its own, filled with zeros.
///
/// - Parameters:
///   - allocator: Always `nil`; the parameter exists for compatibility.
///   - width: The width in pixels, from 1 to 16384.
///   - height: The height in pixels, from 1 to 16384.
///   - pixelFormatType: One of the constants `kCVPixelFormatType_…` of this module.
///   - pixelBufferAttributes: Ignored: the memory has the layout that ``CVPixelBufferGetBytesPerRow(_:)``
///     returns.
///   - pixelBufferOut: Receives the buffer.
/// - Returns: ``kCVReturnSuccess``, ``kCVReturnInvalidSize`` or ``kCVReturnInvalidPixelFormat``.
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: Never?,
  _ width: Int,
  _ height: Int,
  _ pixelFormatType: OSType,
  _ pixelBufferAttributes: [String: Any]?,
  _ pixelBufferOut: inout CVPixelBuffer?
) -> CVReturn {
  guard (1...16384).contains(width), (1...16384).contains(height) else { return kCVReturnInvalidSize }
  guard let format = CVPixelFormat(rawValue: pixelFormatType) else { return kCVReturnInvalidPixelFormat }
  pixelBufferOut = CVPixelBuffer(width: width, height: height, format)
  return kCVReturnSuccess
}

/// Returns a plane, or `nil` if there is no such plane.
private func plane(_ index: Int, of buffer: CVPixelBuffer) -> CVPixelPlane? {
  buffer.planes.indices.contains(index) ? buffer.planes[index] : nil
}
