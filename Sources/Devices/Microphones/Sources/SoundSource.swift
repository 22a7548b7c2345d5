// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol

/// What asking a source for sound brought.
package enum SoundOutcome: Equatable, Sendable {
  /// So many moments, before which so many were lost because nobody took them in time.
  case block(frames: Int, lost: UInt64 = 0)
  /// There is no more sound.
  case end
}

/// Where sound comes from: a microphone, a file, a tone that is made up.
///
/// A source is used by one thread at a time.
package protocol SoundSource: AnyObject {
  /// What people call it: the file's path, `tone`, or the name of a device. No extension is told.
  var name: String { get }
  /// What its samples are; it never changes.
  var geometry: SoundRingGeometry { get }
  /// What sets the speed of its sound.
  var clock: FrameClock { get }
  /// When the first moment of the newest block was heard, on the clock that never jumps; nil: when it was asked for.
  var soundTime: UInt64? { get }

  /// Writes the next block, which has ``SoundRingGeometry/blockFrames`` moments at most, without gaps.
  ///
  /// A source that waits for somebody else gives up as soon as `stop` is raised, with the reason
  /// ``SoundSourceError/Reason/stopped``.
  func next(
    into samples: UnsafeMutableRawBufferPointer,
    stop: StopSignal
  ) throws(SoundSourceError) -> SoundOutcome

  /// No sound is wanted until the next is asked for.
  func rest()
}

extension SoundSource {
  /// Whoever takes the sound: most sources have it already.
  package var clock: FrameClock { .taker }
  /// When it was asked for.
  package var soundTime: UInt64? { nil }
  /// Does nothing: only a microphone does something that it has to stop doing.
  package func rest() {}
}
