// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives

/// A ring for the sound of a microphone. Its descriptor is passed to the extension under the name `sound`.
package typealias SoundRing = CaptureRing<SoundRingGeometry>

/// A pump for sound.
package typealias SoundPump = RingPump<SoundFiller>

/// A filler that writes the blocks of a source to slots, and counts the frames.
package final class SoundFiller: RingFiller {
  package static let threadName: StaticString = "sound-pump"
  /// The source of the sound.
  private let source: any SoundSource
  /// The number of frames so far, including lost ones.
  private var position: UInt64 = 0

  /// Creates a filler that owns a source.
  init(_ source: any SoundSource) { self.source = source }

  package var name: String { source.name }

  package var rate: CameraSource.FrameRate {
    CameraSource.FrameRate(source.geometry.sampleRate, source.geometry.blockFrames) ?? .standard
  }

  package var clock: FrameClock { source.clock }
  package var frameTime: UInt64? { source.soundTime }

  package func fill(
    _ slot: UnsafeMutableRawBufferPointer,
    of layout: SoundRingGeometry,
    stop: StopSignal
  ) throws(SoundSourceError) -> FrameOutcome {
    typealias Slot = SoundRingLayout.Slot
    let samples = slot.part(Slot.samples..<(Slot.samples + layout.blockBytes))
    guard case .block(let frames, let lost) = try source.next(into: samples, stop: stop) else { return .end }
    position += lost
    slot.storeBytes(of: position.littleEndian, toByteOffset: Slot.position, as: UInt64.self)
    slot.storeBytes(of: UInt32(frames).littleEndian, toByteOffset: Slot.frames, as: UInt32.self)
    position += UInt64(frames)
    return .frame
  }

  /// Does nothing: each block is written in full.
  package func slotsWereErased() {}

  package func suspend() { source.suspend() }
}

extension RingPump where Filler == SoundFiller {
  /// Creates a paused pump for sound; see ``RingPump/make(filler:ring:frameEvent:frameDone:published:)``.
  package static func make(
    source: sending any SoundSource,
    ring: SoundRing,
    soundEvent: borrowing Descriptor,
    soundDone: borrowing Descriptor,
    published: (@Sendable () -> Void)? = nil
  ) throws(SystemCallError) -> SoundPump {
    try make(
      filler: SoundFiller(source),
      ring: ring,
      frameEvent: soundEvent,
      frameDone: soundDone,
      published: published
    )
  }
}
