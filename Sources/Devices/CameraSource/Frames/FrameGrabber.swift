// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import LinuxPrimitives

/// A frame grabber: reads frames of a source without a ring and without an extension.
package final class FrameGrabber {
  /// The source of the frames.
  private let source: any FrameSource
  /// The offsets of the planes in the frame buffer.
  package let layout: FrameRingGeometry
  /// The buffer of the newest frame.
  private let slot: PixelBuffer

  /// Creates a grabber that has not read a frame yet.
  package init(_ source: any FrameSource) throws(FrameSourceError) {
    self.source = source
    do { layout = try source.geometry.ringGeometry() } catch {
      throw FrameSourceError(source.name, .size(error))
    }
    slot = PixelBuffer(count: layout.slotStride)
  }

  deinit { source.suspend() }

  /// The size and the rate of the frames. The range is always full.
  package var geometry: FrameGeometry {
    FrameGeometry(
      width: layout.width,
      height: layout.height,
      frameRate: source.geometry.frameRate,
      range: .full
    )
  }

  /// The pixels of the newest frame.
  package var pixels: UnsafeRawBufferPointer { UnsafeRawBufferPointer(slot.bytes).part(layout.pixels) }

  /// Reads the next frame. Returns `false` if the source has no more.
  package func next(stop: StopSignal) throws(FrameSourceError) -> Bool {
    do throws(SystemCallError) {
      // A source that never waits does not check the signal.
      guard try stop.wait(for: -1, .readable, until: 0) else {
        throw SystemCallError("ppoll", errno: .interrupted)
      }
    } catch { throw FrameSourceError(source.name, error.errno == .interrupted ? .stopped : .system(error)) }
    source.slotsWereErased()
    guard try source.next(into: slot.bytes, layout: layout, stop: stop) == .frame else { return false }
    if source.geometry.range == .limited { RangeExpansion.expand(slot.bytes, layout: layout) }
    return true
  }
}
