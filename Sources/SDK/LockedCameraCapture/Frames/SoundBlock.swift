// SPDX-License-Identifier: Apache-2.0

/// A block of sound from the microphone: a copy of a few milliseconds of samples.
///
/// A sample frame contains one sample of every channel. Blocks arrive in order; ``lost`` is the number of
/// missing sample frames.
public struct SoundBlock: Sendable, Hashable {
  /// The samples, interleaved by channel.
  public let samples: [Int16]
  /// The sample rate, in samples per second and channel.
  public let sampleRate: Int
  /// The number of channels.
  public let channels: Int
  /// The capture time of the first sample frame, in nanoseconds of the clock of ``CaptureFrame/timestamp``.
  public let timestamp: UInt64
  /// The number of sample frames that the microphone recorded before this block, including lost ones.
  public let position: UInt64
  /// The number of sample frames directly before this block that were lost because the extension or the
  /// machine was too slow.
  public let lost: UInt64

  /// The number of sample frames in the block.
  public var frames: Int { samples.count / channels }

  /// Creates a block from its parts.
  init(samples: [Int16], sampleRate: Int, channels: Int, timestamp: UInt64, position: UInt64, lost: UInt64) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.channels = channels
    self.timestamp = timestamp
    self.position = position
    self.lost = lost
  }
}
