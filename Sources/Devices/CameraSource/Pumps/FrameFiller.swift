// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// A pump for the frames of a camera.
package typealias FramePump = RingPump<FrameFiller>

/// A filler that writes the frames of a source to slots.
package final class FrameFiller: RingFiller {
  package static let threadName: StaticString = "frame-pump"
  /// The source of the frames.
  private let source: any FrameSource

  /// Creates a filler that owns a source.
  init(_ source: any FrameSource) { self.source = source }

  package var name: String { source.name }
  package var rate: FrameRate { source.geometry.frameRate }
  package var clock: FrameClock { source.clock }
  package var frameTime: UInt64? { source.frameTime }

  package func fill(
    _ slot: UnsafeMutableRawBufferPointer,
    of layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    guard try source.next(into: slot, layout: layout, stop: stop) == .frame else { return .end }
    if source.geometry.range == .limited { RangeExpansion.expand(slot, layout: layout) }
    return .frame
  }

  package func slotsWereErased() { source.slotsWereErased() }

  package func suspend() { source.suspend() }
}

extension RingPump where Filler == FrameFiller {
  /// Creates a paused pump for frames; see ``RingPump/make(filler:ring:frameEvent:frameDone:published:)``.
  package static func make(
    source: sending any FrameSource,
    ring: FrameRing,
    frameEvent: borrowing Descriptor,
    frameDone: borrowing Descriptor
  ) throws(SystemCallError) -> FramePump {
    try make(filler: FrameFiller(source), ring: ring, frameEvent: frameEvent, frameDone: frameDone)
  }
}

extension FrameSourceError: RingFault {
  package init(_ source: String, system: SystemCallError) { self.init(source, .system(system)) }
  package var isStop: Bool { reason == .stopped }
}
