// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives

/// The memory in which an extension draws its viewfinder, for another process.
package struct ViewfinderMemory: Sendable {
  /// The memory file, opened for reading.
  package let file: HeldDescriptor
  /// The size of the memory file in bytes.
  package let bytes: Int
  /// The width of the frames in pixels.
  package let width: Int
  /// The height of the frames in rows.
  package let height: Int
  /// The layout of the planes Y, U and V; positions count from the start of a frame.
  package let planes: [ViewfinderFrame.Plane]

  /// Opens the memory of a ring for reading.
  init(_ ring: PreviewRing) throws(SystemCallError) {
    // A duplicate would be writable. The path opens the same file again.
    file = HeldDescriptor(try FileSystem.open("/proc/self/fd/\(ring.descriptor.rawValue)", .read))
    (bytes, width, height) = (ring.geometry.totalBytes, ring.geometry.width, ring.geometry.height)
    planes = ring.geometry.viewfinderPlanes
  }
}

/// A frame of the viewfinder that the extension does not overwrite until it is released.
package struct HeldViewfinderFrame: Sendable {
  /// The position of the frame in the memory file.
  package let offset: Int
  /// The sequence number, counted from 1.
  package let sequence: UInt64
  /// The capture time as reported by the extension, in nanoseconds of its monotonic clock.
  package let timestamp: UInt64

  /// Creates the description of a frame of a ring.
  init(_ frame: PreviewRing.Frame, _ geometry: FrameRingGeometry) {
    let slot = geometry.offset(ofSlot: geometry.slot(ofFrame: frame.sequence))
    offset = slot + (geometry.planes.first?.offset ?? 0)
    (sequence, timestamp) = (frame.sequence, frame.timestamp)
  }
}

extension HostedSession {
  /// Waits for the memory of the viewfinder. Returns `nil` if the session ends without a viewfinder, or the
  /// task is cancelled.
  package func viewfinderMemory() async throws(HostError) -> ViewfinderMemory? {
    do throws(SystemCallError) { return try await core.frames.memory() } catch { throw HostError(error) }
  }

  /// Releases the held frame, and waits for the next one. Returns `nil` if no frame follows, or the task is
  /// cancelled.
  package func holdNextFrame() async -> HeldViewfinderFrame? { await core.frames.holdNextFrame() }

  /// Releases the held frame.
  package func releaseHeldFrame() { core.frames.releaseHeldFrame() }

  /// The result of the session, after its end. Cancelling a task that waits for it has no effect.
  package var outcome: Result<SessionResult, HostError> { get async { await core.awaitResult() } }

  /// Dismisses the session because its program ends, and waits for its migration.
  package func stop() async {
    core.input.stop()
    _ = await core.awaitResult()
  }
}

extension FrameRingGeometry {
  /// The layout of the planes; positions count from the start of the first plane, where a frame starts.
  var viewfinderPlanes: [ViewfinderFrame.Plane] {
    let start = planes.first?.offset ?? 0
    return planes.map {
      .init(offset: $0.offset - start, stride: $0.stride, rows: $0.rows, rowBytes: $0.rowBytes)
    }
  }
}
