// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import Synchronization

/// One picture of the camera: 8 bits a sample, planes Y, U and V, chroma halved both ways (I420).
///
/// The pixels are usually where the camera's side has put them, and are not copied. They can be overwritten while they
/// are looked at; ``isIntact`` says afterwards whether they were. A frame given to ``LockedCameraCaptureSession/takePicture(_:)``
/// is a copy and stays as it is.
public struct CaptureFrame: ~Copyable {
  /// The number of the frame, from 1.
  public let sequence: UInt64
  /// When it was taken, in nanoseconds of the clock that never jumps.
  public let timestamp: UInt64
  /// How many frames before this one were missed because the extension was slow.
  public let dropped: UInt64
  /// Pixels in a row.
  public let width: Int
  /// Rows.
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
    /// Brightness, Y.
    case luma
    /// Blue difference, U.
    case blue
    /// Red difference, V.
    case red
  }

  /// Whether everything that was read so far belongs to this frame.
  public var isIntact: Bool {
    guard owner == nil, let address = slot.baseAddress else { return true }
    // What was read before must not be read after the check.
    atomicMemoryFence(ordering: .acquiring)
    return loadAcquiring(address + FrameRingLayout.Slot.sequence) == sequence
  }

  /// How a plane lies in memory.
  public func layout(of plane: Plane) -> PlaneLayout {
    let plane = geometry.planes[plane.rawValue]
    return PlaneLayout(width: plane.rowBytes, height: plane.rows, stride: plane.stride)
  }

  /// Gives the bytes of a plane, from the first row's first to the last row's last; only for the time of the call.
  public func withPlane<Result: ~Copyable, Failure: Error>(
    _ plane: Plane,
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let place = geometry.planes[plane.rawValue]
    return try body(UnsafeRawBufferPointer(rebasing: slot[place.offset..<place.end]).bytes)
  }

  /// A copy that nobody overwrites, or nil if the frame was overwritten already.
  public func copy() -> CaptureFrame? {
    let memory = FrameMemory(copying: slot)
    guard isIntact else { return nil }
    let bytes = UnsafeRawBufferPointer(memory.bytes)
    return CaptureFrame(bytes, owner: memory, geometry, sequence: sequence, dropped: dropped)
  }
}

/// How a plane lies in memory.
public struct PlaneLayout: Hashable, Sendable {
  /// Samples in a row, a byte each.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Bytes from one row to the next.
  public let stride: Int

  /// Names the numbers; rows of `width` samples, each row `stride` bytes after the one before.
  package init(width: Int, height: Int, stride: Int) {
    self.width = width
    self.height = height
    self.stride = stride
  }
}

/// Memory that holds the copy of a slot as long as a frame needs it.
final class FrameMemory {
  /// The bytes of the slot.
  let bytes: UnsafeMutableRawBufferPointer

  init(copying slot: UnsafeRawBufferPointer) {
    bytes = .allocate(byteCount: slot.count, alignment: 64)
    bytes.copyMemory(from: slot)
  }

  deinit { bytes.deallocate() }
}
