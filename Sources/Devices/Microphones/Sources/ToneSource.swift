// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol

/// A made-up tone that never ends: each channel a triangle wave, the first of 440 Hz, the second of twice that, and so on.
package final class ToneSource: SoundSource {
  /// The tone of the first channel, in hertz.
  package static let pitch = 440
  /// The greatest sample: a quarter of what is possible, so that nobody is startled.
  package static let loudness = 8192

  /// What people call it.
  package let name = "tone"
  /// What its samples are.
  package let geometry: SoundRingGeometry
  /// The number of the next moment.
  private var moment: UInt64 = 0

  /// Makes a tone.
  package init(_ geometry: SoundRingGeometry) { self.geometry = geometry }

  /// Writes a whole block.
  package func next(
    into samples: UnsafeMutableRawBufferPointer,
    stop: StopSignal
  ) throws(SoundSourceError) -> SoundOutcome {
    var place = 0
    for _ in 0..<geometry.blockFrames {
      for channel in 0..<geometry.channels {
        let sample = Self.sample(moment, channel, rate: geometry.sampleRate)
        samples.storeBytes(of: sample.littleEndian, toByteOffset: place, as: Int16.self)
        place += SoundRingLayout.sampleBytes
      }
      moment += 1
    }
    return .block(frames: geometry.blockFrames)
  }

  /// A sample of the tone; whole numbers only, so that anybody can calculate the same.
  package static func sample(_ moment: UInt64, _ channel: Int, rate: Int) -> Int16 {
    // How far the wave is, of four times its loudness: up, down through nothing, and up again.
    let whole = 4 * UInt64(loudness)
    let phase = Int(
      moment % UInt64(rate) * UInt64(pitch * (channel + 1)) % UInt64(rate) * whole / UInt64(rate)
    )
    return Int16(
      phase < loudness ? phase : phase < 3 * loudness ? 2 * loudness - phase : phase - 4 * loudness
    )
  }
}
