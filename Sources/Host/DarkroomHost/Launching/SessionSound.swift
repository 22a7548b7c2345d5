// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import Microphones

/// The sound that the extension of a session receives from its microphone.
///
/// The sequence contains only sound that the extension may receive at that time: there is none before the
/// extension starts its microphone, and none without the permission. An iteration starts with the oldest block
/// that is still in memory, about one second in the past. A task that is too slow misses blocks; neither the
/// microphone nor the extension waits for it.
public struct SessionSound: AsyncSequence, Sendable {
  /// A block of sound.
  public struct Block: Sendable, Hashable {
    /// The sequence number, counted from 1.
    public let sequence: UInt64
    /// The samples, interleaved by channel.
    public let samples: [Int16]
    /// The number of samples per second and channel.
    public let sampleRate: Int
    /// The number of channels.
    public let channels: Int
    /// The recording time of the first sample, in nanoseconds of `CLOCK_MONOTONIC`.
    public let timestamp: UInt64
    /// The number of frames (one sample of each channel) that the microphone recorded before this block.
    public let position: UInt64
    /// The number of frames that this iteration missed directly before this block, or 0 for its first block.
    public let lost: UInt64

    /// The number of frames in the block.
    public var frames: Int { samples.count / channels }
  }

  private let gate: SoundGate

  /// Creates a sequence of the blocks that a gate receives.
  init(_ gate: SoundGate) { self.gate = gate }

  /// Creates an iterator that starts with the oldest block in memory. An iterator that is created during the session
  /// keeps this memory, so that its task can read the last blocks after the session.
  public func makeAsyncIterator() -> Iterator { Iterator(gate) }

  /// An iterator over blocks of sound. It ends with the sound of the session, or when the task is cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    private let gate: SoundGate
    /// The ring, which keeps the last blocks readable after the session, or `nil` before the first block.
    private var ring: SoundRing?
    /// The sequence number of the last block, or 0 before the first one.
    private var last: UInt64 = 0
    /// The position after the last block, or `nil` before the first one.
    private var end: UInt64?

    /// Creates an iterator.
    fileprivate init(_ gate: SoundGate) { (self.gate, ring) = (gate, gate.currentRing) }

    /// Waits for the next block. Returns `nil` after the last one, or when the task is cancelled.
    public mutating func next() async -> Block? {
      if ring == nil { ring = await gate.ring() }
      guard let ring else { return nil }
      while let newest = await gate.published(after: last) {
        let slots = UInt64(ring.geometry.slots)
        last = Swift.max(last + 1, newest > slots ? newest - slots + 1 : 1)
        // An overwritten or erased block is skipped.
        if let block = ring.block(last) { return take(block, ring) }
      }
      return nil
    }

    /// Returns a block as the next element.
    private mutating func take(_ block: RecordedBlock, _ ring: SoundRing) -> Block {
      let found = Block(
        sequence: last,
        samples: block.samples,
        sampleRate: ring.geometry.sampleRate,
        channels: ring.geometry.channels,
        timestamp: block.timestamp,
        position: block.position,
        lost: end.map { block.position > $0 ? block.position - $0 : 0 } ?? 0
      )
      end = block.position + UInt64(found.frames)
      return found
    }
  }
}

extension HostedSession {
  /// The sound that the extension receives from its microphone. Several tasks can iterate over it.
  ///
  /// The sequence is empty if the session has no microphone. An iteration that starts after the session is empty, too.
  public var sound: SessionSound { SessionSound(core.sound) }
}
