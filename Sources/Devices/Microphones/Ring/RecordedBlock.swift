// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol

/// A copy of a block of sound.
package struct RecordedBlock: Sendable, Hashable {
  /// The samples, interleaved by channel.
  package let samples: [Int16]
  /// The recording time of the first sample, in nanoseconds of the writer's `CLOCK_MONOTONIC`.
  package let timestamp: UInt64
  /// The number of frames that the microphone recorded before the first one of the block, including lost
  /// ones.
  package let position: UInt64
}

extension SoundRing {
  /// Returns a copy of the block with a sequence number, counted from 1, or `nil` if the block was overwritten
  /// or erased.
  package func block(_ sequence: UInt64) -> RecordedBlock? {
    let (geometry, lead) = (geometry, UInt64(bitPattern: readerClockLead))
    return read(sequence) { slot in
      typealias Slot = SoundRingLayout.Slot
      func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
        Number(littleEndian: slot.loadUnaligned(fromByteOffset: offset, as: type))
      }
      let frames = min(Int(number(Slot.frames, UInt32.self)), geometry.blockFrames)
      return RecordedBlock(
        samples: (0..<(frames * geometry.channels)).map { index in
          number(Slot.samples + index * SoundRingLayout.sampleBytes, Int16.self)
        },
        timestamp: number(RingLayout.Slot.timestamp, UInt64.self) &- lead,
        position: number(Slot.position, UInt64.self)
      )
    }
  }
}
