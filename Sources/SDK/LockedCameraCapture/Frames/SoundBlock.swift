// SPDX-License-Identifier: Apache-2.0

/// A block of a microphone's sound: a few milliseconds, copied, so that it stays as it is.
///
/// A moment has one sample of every channel. Blocks come in their order; where some are missing, ``lost`` says how much.
public struct SoundBlock: Sendable, Hashable {
  /// The samples, those of one moment side by side.
  public let samples: [Int16]
  /// Samples of a channel in a second.
  public let sampleRate: Int
  /// How many channels there are.
  public let channels: Int
  /// When the first moment was heard, in nanoseconds of the clock that never jumps: the one of ``CaptureFrame/timestamp``.
  public let timestamp: UInt64
  /// How many moments the microphone had heard before the first of these, lost ones included.
  public let position: UInt64
  /// How many moments right before the first of these were lost, because the extension or the machine was slow.
  public let lost: UInt64

  /// How many moments there are.
  public var frames: Int { samples.count / channels }

  /// Names the parts; for ``SoundRingReader``.
  init(samples: [Int16], sampleRate: Int, channels: Int, timestamp: UInt64, position: UInt64, lost: UInt64) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.channels = channels
    self.timestamp = timestamp
    self.position = position
    self.lost = lost
  }
}
