// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import Synchronization

/// One frame of the camera: 8 bits per sample, planes Y, U and V, chroma subsampled 2x2 (I420).
///
/// The pixels are usually in memory shared with the host and are not copied. The host can overwrite them
/// during access; check ``isIntact`` afterwards. A frame that ``LockedCameraCaptureSession/takePicture(_:)``
/// passes to its handler is a copy and does not change.
public struct CaptureFrame: ~Copyable {
  /// The sequence number of the frame, from 1.
  public let sequence: UInt64
  /// The capture time, in nanoseconds of the monotonic clock (`CLOCK_MONOTONIC`).
  public let timestamp: UInt64
  /// The number of frames directly before this one that were dropped because the extension was too slow.
  public let dropped: UInt64
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  private let slot: UnsafeRawBufferPointer
  private let owner: FrameMemory?
  private let geometry: FrameRingGeometry

  init(
    _ slot: UnsafeRawBufferPointer,
    owner: FrameMemory?,
    _ geometry: FrameRingGeometry,
    sequence: UInt64,
    dropped: UInt64
  ) {
    self.sequence = sequence
    self.dropped = dropped
    self.slot = slot
    self.owner = owner
    self.geometry = geometry
    width = geometry.width
    height = geometry.height
    timestamp = UInt64(
      littleEndian: slot.loadUnaligned(fromByteOffset: FrameRingLayout.Slot.timestamp, as: UInt64.self)
    )
  }

  /// The planes of a frame.
  public enum Plane: Int, CaseIterable, Sendable {
    /// The luma plane, Y.
    case luma
    /// The blue-difference chroma plane, U.
    case blue
    /// The red-difference chroma plane, V.
    case red
  }

  /// Whether all pixels that were read so far belong to this frame.
  public var isIntact: Bool {
    guard owner == nil, let address = slot.baseAddress else { return true }
    // Orders the earlier reads of pixels before the check.
    atomicMemoryFence(ordering: .acquiring)
    return loadAcquiring(address + FrameRingLayout.Slot.sequence) == sequence
  }

  /// Returns the memory layout of a plane.
  public func layout(of plane: Plane) -> PlaneLayout {
    let plane = geometry.planes[plane.rawValue]
    return PlaneLayout(width: plane.rowBytes, height: plane.rows, stride: plane.stride)
  }

  /// Calls `body` with the bytes of a plane, from the first byte of the first row to the last byte of the
  /// last row.
  ///
  /// The bytes are valid only during the call.
  ///
  /// - Parameters:
  ///   - plane: The plane.
  ///   - body: The closure that reads the bytes.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  public func withPlane<Result: ~Copyable, Failure: Error>(
    _ plane: Plane,
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let place = geometry.planes[plane.rawValue]
    return try body(UnsafeRawBufferPointer(rebasing: slot[place.offset..<place.end]).bytes)
  }

  /// The format of the samples of the sensor, or `nil` if the camera does not deliver them.
  public var rawFormat: RawFormat? { geometry.raw.map { RawFormat($0, width: width, height: height) } }

  /// Calls `body` with the samples of the sensor from which the camera's frame was calculated.
  ///
  /// The bytes are valid only during the call.
  ///
  /// - Parameter body: The closure that reads the bytes, in the layout of ``rawFormat``.
  /// - Returns: The result of `body`, or `nil` if the camera does not deliver the samples.
  /// - Throws: The error of `body`.
  public func withRawSamples<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let raw = geometry.raw else { return nil }
    let samples = slot[raw.offset..<raw.offset + raw.stride * height]
    return try body(UnsafeRawBufferPointer(rebasing: samples).bytes)
  }

  /// Returns a frame with the same pixels, without a copy.
  ///
  /// The caller keeps the session alive as long as the result, because the session owns the shared memory.
  package func alias() -> CaptureFrame {
    CaptureFrame(slot, owner: owner, geometry, sequence: sequence, dropped: dropped)
  }

  /// Returns a copy that the host does not overwrite, or `nil` if the frame was already overwritten.
  public func copy() -> CaptureFrame? {
    let memory = FrameMemory(copying: slot)
    guard isIntact else { return nil }
    let bytes = UnsafeRawBufferPointer(memory.bytes)
    return CaptureFrame(bytes, owner: memory, geometry, sequence: sequence, dropped: dropped)
  }
}

/// The memory layout of a plane.
public struct PlaneLayout: Hashable, Sendable {
  /// The number of samples per row; a sample is one byte.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The number of bytes between the starts of adjacent rows.
  public let stride: Int

  /// Creates a layout of `height` rows of `width` samples, with `stride` bytes between the starts of adjacent
  /// rows.
  package init(width: Int, height: Int, stride: Int) {
    self.width = width
    self.height = height
    self.stride = stride
  }
}

/// Memory that owns the copy of a slot for the lifetime of a frame.
final class FrameMemory {
  /// The bytes of the slot.
  let bytes: UnsafeMutableRawBufferPointer

  init(copying slot: UnsafeRawBufferPointer) {
    bytes = .allocate(byteCount: slot.count, alignment: 64)
    bytes.copyMemory(from: slot)
  }

  deinit { bytes.deallocate() }
}
