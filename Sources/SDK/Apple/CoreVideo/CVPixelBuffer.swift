// SPDX-License-Identifier: Apache-2.0

package import LockedCameraCapture

/// A buffer of pixels in memory: a frame of the camera without a copy, or memory of the extension.
///
/// A frame is in memory that the host shares read-only: writing to it terminates the process with SIGSEGV. The
/// host overwrites a frame when its ring is full, after about three more frames. The result of
/// ``CVPixelBufferUnlockBaseAddress(_:_:)`` reports whether that happened. To change pixels or to keep them,
/// copy them into a buffer of ``CVPixelBufferCreate(_:_:_:_:_:_:)``.
///
/// `@unchecked Sendable`, because a buffer stores addresses: the host writes a shared frame as it writes any
/// frame, and the user of Apple's API synchronizes access to other memory.
public final class CVBuffer: @unchecked Sendable {
  /// The format of the pixels.
  let format: CVPixelFormat
  /// The width in pixels.
  let width: Int
  /// The height in pixels.
  let height: Int
  /// The planes; a format without planes has one.
  let planes: [CVPixelPlane]
  /// The owner of the memory.
  private let memory: Memory
  /// The session that owns the shared memory of a frame; kept alive for it.
  private let session: LockedCameraCaptureSession?

  /// The owner of a buffer's memory.
  private enum Memory: ~Copyable {
    /// A frame, in the shared memory of a session or in a copy.
    case frame(CaptureFrame)
    /// Memory of the buffer.
    case owned(CVPixelMemory)
  }

  /// Creates a buffer of a frame's pixels, without a copy.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - session: The session whose memory contains the frame, or `nil` if the frame is a copy.
  package init(_ frame: consuming CaptureFrame, of session: LockedCameraCaptureSession?) {
    (width, height, format) = (frame.width, frame.height, .planar420FullRange)
    planes = CaptureFrame.Plane.allCases.map { plane in
      let layout = frame.layout(of: plane)
      // The memory outlives the call: the session or the frame's copy owns it, and this object keeps both.
      let base = frame.withPlane(plane) {
        $0.withUnsafeBytes { UnsafeMutableRawPointer(mutating: $0.baseAddress) }
      }
      return CVPixelPlane(base: base, width: layout.width, height: layout.height, rowBytes: layout.stride)
    }
    memory = .frame(frame)
    self.session = session
  }

  /// Creates a buffer with memory of its own, filled with zeros.
  init(width: Int, height: Int, _ format: CVPixelFormat) {
    (self.width, self.height, self.format, session) = (width, height, format, nil)
    let owned = CVPixelMemory(format.planeSizes(width: width, height: height))
    planes = owned.planes
    memory = .owned(owned)
  }

  /// Whether the pixels belong to the frame of this buffer: the host has not overwritten them.
  package var isIntact: Bool {
    switch memory {
    case .frame(let frame): frame.isIntact
    case .owned: true
    }
  }

  /// Calls `body` with the frame of this buffer, or returns `nil` if the buffer has memory of its own.
  package func withFrame<Result, Failure: Error>(
    _ body: (borrowing CaptureFrame) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    switch memory {
    case .frame(let frame): try body(frame)
    case .owned: nil
    }
  }
}

/// Apple's name for a buffer of an image.
public typealias CVImageBuffer = CVBuffer
/// Apple's name for a buffer of pixels.
public typealias CVPixelBuffer = CVBuffer

/// A plane of a pixel buffer.
struct CVPixelPlane {
  /// The address of the first pixel.
  let base: UnsafeMutableRawPointer?
  /// The width in samples; a sample of a format without planes is a pixel.
  let width: Int
  /// The number of rows.
  let height: Int
  /// The number of bytes between the starts of adjacent rows.
  let rowBytes: Int
}

/// Memory of a pixel buffer, aligned to 64 bytes.
final class CVPixelMemory {
  /// The planes in the memory.
  let planes: [CVPixelPlane]
  private let bytes: UnsafeMutableRawBufferPointer

  init(_ sizes: [CVPixelFormat.PlaneSize]) {
    let counts = sizes.map { $0.rowBytes * $0.height }
    bytes = .allocate(byteCount: counts.reduce(0, +), alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    var offset = 0
    var planes: [CVPixelPlane] = []
    for (size, count) in zip(sizes, counts) {
      let base = bytes.baseAddress.map { $0 + offset }
      planes.append(CVPixelPlane(base: base, width: size.width, height: size.height, rowBytes: size.rowBytes))
      offset += count
    }
    self.planes = planes
  }

  deinit { bytes.deallocate() }
}
