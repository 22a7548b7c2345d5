// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol

/// The result of requesting sound from a source.
package enum SoundOutcome: Equatable, Sendable {
  /// A block of frames, before which `lost` frames were lost because they were not read in time.
  case block(frames: Int, lost: UInt64 = 0)
  /// The source has no more sound.
  case end
}

/// A source of sound: a microphone, a file, or a synthetic tone.
///
/// One thread at a time uses a source. A frame consists of one sample per channel.
package protocol SoundSource: AnyObject {
  /// The name of the source on the host: the path of the file, `tone`, or the name of a device. Extensions do
  /// not receive it.
  var name: String { get }
  /// The sample rate and the number of channels; constant.
  var geometry: SoundRingGeometry { get }
  /// The side that determines the pace of the sound.
  var clock: FrameClock { get }
  /// The capture time of the first frame of the newest block on the monotonic clock, or `nil` if it is the
  /// time of the request.
  var soundTime: UInt64? { get }

  /// Writes the next block, which has at most ``SoundRingGeometry/blockFrames`` frames, without gaps.
  ///
  /// A source that is waiting for a device returns as soon as `stop` is raised. It then throws the reason
  /// ``SoundSourceError/Reason/stopped``.
  func next(
    into samples: UnsafeMutableRawBufferPointer,
    stop: StopSignal
  ) throws(SoundSourceError) -> SoundOutcome

  /// Suspends the source until the next block is requested.
  func suspend()
}

extension SoundSource {
  /// The consumer; most sources have all their sound already.
  package var clock: FrameClock { .consumer }
  /// `nil`: the time of the request.
  package var soundTime: UInt64? { nil }
  /// Does nothing; only a microphone uses resources while idle.
  package func suspend() {}
}
