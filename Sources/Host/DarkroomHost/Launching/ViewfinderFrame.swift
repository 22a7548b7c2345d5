// SPDX-License-Identifier: Apache-2.0

/// A viewfinder frame in the memory where the extension drew it. It is valid only within the closure of
/// ``HostedSession/withNextFrame(_:)``.
///
/// The format is I420: a plane of luma, and two planes of chroma with half the width and height. The
/// extension can change the pixels at any time; copy them where that matters.
public struct ViewfinderFrame: ~Copyable {
  /// The width in pixels.
  public let width: Int
  /// The height in rows.
  public let height: Int
  /// The sequence number, counted from 1.
  public let sequence: UInt64
  /// The capture time as reported by the extension, in nanoseconds of its monotonic clock.
  public let timestamp: UInt64
  /// The layout of the planes Y, U and V.
  public let planes: [Plane]
  private let pixels: UnsafeRawBufferPointer

  /// The layout of a plane.
  public struct Plane: Sendable, Hashable {
    /// The position of the first byte in the pixels.
    public let offset: Int
    /// The number of bytes from one row to the next.
    public let stride: Int
    /// The number of rows.
    public let rows: Int
    /// The number of bytes of a row.
    public let rowBytes: Int
  }

  /// Creates a frame from its pixels.
  init(
    width: Int,
    height: Int,
    sequence: UInt64,
    timestamp: UInt64,
    planes: [Plane],
    pixels: UnsafeRawBufferPointer
  ) {
    (self.width, self.height, self.sequence, self.timestamp) = (width, height, sequence, timestamp)
    (self.planes, self.pixels) = (planes, pixels)
  }

  /// Calls a closure with all pixels, without a copy. The buffer must not leave the closure.
  public borrowing func withPixels<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(pixels)
  }

  /// Calls a closure with the bytes of one plane, without a copy. The buffer must not leave the closure.
  public borrowing func withPlane<Result: ~Copyable, Failure: Error>(
    _ index: Int,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let plane = planes[index]
    let end = plane.rows == 0 ? plane.offset : plane.offset + plane.stride * (plane.rows - 1) + plane.rowBytes
    return try body(UnsafeRawBufferPointer(rebasing: pixels[plane.offset..<end]))
  }
}
