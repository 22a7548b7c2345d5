// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol

/// A synthetic tone without an end: a triangle wave in each channel. Channel n, counted from 1, has n times
/// 440 Hz.
package final class ToneSource: SoundSource {
  /// The frequency of the first channel, in hertz.
  package static let frequency = 440
  /// The amplitude: a quarter of the maximum, so that the tone is not too loud.
  package static let amplitude = 8192

  /// The name of the source.
  package let name = "tone"
  /// The sample rate and the number of channels.
  package let geometry: SoundRingGeometry
  /// The index of the next frame.
  private var frameIndex: UInt64 = 0

  /// Creates a tone with a sample rate and a number of channels.
  package init(_ geometry: SoundRingGeometry) { self.geometry = geometry }

  /// Writes a whole block.
  package func next(
    into samples: UnsafeMutableRawBufferPointer,
    stop: StopSignal
  ) throws(SoundSourceError) -> SoundOutcome {
    var place = 0
    for _ in 0..<geometry.blockFrames {
      for channel in 0..<geometry.channels {
        let sample = Self.sample(frameIndex, channel, rate: geometry.sampleRate)
        samples.storeBytes(of: sample.littleEndian, toByteOffset: place, as: Int16.self)
        place += SoundRingLayout.sampleBytes
      }
      frameIndex += 1
    }
    return .block(frames: geometry.blockFrames)
  }

  /// Returns a sample of the tone. The calculation uses only integers, so that other programs can reproduce
  /// it exactly.
  package static func sample(_ frameIndex: UInt64, _ channel: Int, rate: Int) -> Int16 {
    // The phase, from 0 to 4 times the amplitude: up, down through zero, and up again.
    let whole = 4 * UInt64(amplitude)
    let phase = Int(
      frameIndex % UInt64(rate) * UInt64(frequency * (channel + 1)) % UInt64(rate) * whole / UInt64(rate)
    )
    return Int16(
      phase < amplitude ? phase : phase < 3 * amplitude ? 2 * amplitude - phase : phase - 4 * amplitude
    )
  }
}
