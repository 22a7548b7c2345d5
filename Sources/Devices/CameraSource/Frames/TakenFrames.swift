// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import LinuxPrimitives

/// Takes frames of a source for whoever wants some, without a ring and without an extension.
package final class TakenFrames {
  /// Where the frames come from.
  private let source: any FrameSource
  /// Where the pixels of the frame are.
  package let layout: FrameRingGeometry
  /// The newest frame.
  private let slot: PixelBuffer

  /// Begins with none.
  package init(_ source: any FrameSource) throws(FrameSourceError) {
    self.source = source
    do { layout = try source.geometry.ringGeometry() } catch {
      throw FrameSourceError(source.name, .size(error))
    }
    slot = PixelBuffer(count: layout.slotStride)
  }

  deinit { source.rest() }

  /// The size and the rate of the frames, as they are here.
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

  /// Takes the next; false: there are no more.
  package func next(stop: StopSignal) throws(FrameSourceError) -> Bool {
    do throws(SystemCallError) {
      // A source that never waits would not hear of it.
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
