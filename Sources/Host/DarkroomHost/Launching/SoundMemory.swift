// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives
internal import Microphones

/// The memory from which an extension reads the sound of its microphone, for another process.
package struct SoundMemory: Sendable {
  /// The memory file, opened for reading. Its seals prevent changes through this file.
  package let file: HeldDescriptor
  /// The size of the memory file in bytes.
  package let bytes: Int
  /// The number of samples per second and channel.
  package let sampleRate: Int
  /// The number of channels.
  package let channels: Int
  /// The maximum number of frames in a block.
  package let blockFrames: Int
  /// The lead of the clock of the timestamps over `CLOCK_MONOTONIC` of the host, in nanoseconds.
  package let clockLead: Int64

  /// Opens the memory of a ring for reading.
  init(_ ring: SoundRing) throws(SystemCallError) {
    // A duplicate would share the file offset with the extension. The path opens the same file again.
    file = HeldDescriptor(try FileSystem.open("/proc/self/fd/\(ring.descriptor.rawValue)", .read))
    (bytes, sampleRate, channels) = (
      ring.geometry.totalBytes, ring.geometry.sampleRate, ring.geometry.channels
    )
    (blockFrames, clockLead) = (ring.geometry.blockFrames, ring.readerClockLead)
  }
}

extension HostedSession {
  /// Waits for the memory of the sound. Returns `nil` if the session has no microphone or has ended, or the
  /// task is cancelled.
  package func soundMemory() async throws(HostError) -> SoundMemory? {
    guard let ring = await core.sound.ring() else { return nil }
    do throws(SystemCallError) { return try SoundMemory(ring) } catch { throw HostError(error) }
  }

  /// Waits for a block of sound after the one with a sequence number. Returns the sequence number of the newest
  /// block, or `nil` if no block follows, or the task is cancelled.
  package func publishedSound(after last: UInt64) async -> UInt64? { await core.sound.published(after: last) }
}
