// SPDX-License-Identifier: Apache-2.0

import CoreMedia
import ExtensionProtocol
import LinuxPrimitives
import Testing

@testable import AVFoundation
@testable import LockedCameraCapture

/// The times and fragments of recordings. The file is removed when the test returns.
final class MovieRecordingTests {
  private let path = "/tmp/darkroom-recording-\(Randomness.hexadecimal(bytes: 8)).mov"

  deinit { try? FileSystem.unlink(path) }

  private func recording(sound: MovieTrack.Format? = nil) throws -> MovieRecording {
    let video = MovieTrack.Format.video(width: 16, height: 16, FrameGeometry())
    return try MovieRecording(
      path,
      video: video,
      sound: sound,
      frameDuration: .invalid,
      MovieRecording.Limits()
    )
  }

  /// Returns a copied frame with a capture time.
  private static func frame(nanoseconds: UInt64) throws -> CMSampleBuffer {
    let geometry = try FrameRingGeometry(
      width: 16,
      height: 16,
      frameRateNumerator: 30,
      frameRateDenominator: 1
    )
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: geometry.slotStride, alignment: 64)
    defer { slot.deallocate() }
    slot.initializeMemory(as: UInt8.self, repeating: 0)
    slot.storeBytes(
      of: nanoseconds.littleEndian,
      toByteOffset: FrameRingLayout.Slot.timestamp,
      as: UInt64.self
    )
    let memory = FrameMemory(copying: UnsafeRawBufferPointer(slot))
    let bytes = UnsafeRawBufferPointer(memory.bytes)
    let frame = CaptureFrame(bytes, owner: memory, geometry, sequence: 1, dropped: 0)
    return CMSampleBuffer(CVPixelBuffer(frame, of: nil), nanoseconds: nanoseconds, duration: .invalid)
  }

  /// Returns 100 milliseconds of sound.
  private static func sound(nanoseconds: UInt64) -> CMSampleBuffer {
    let samples = [Int16](repeating: 7, count: 800)
    return CMSampleBuffer(
      SoundBlock(
        samples: samples,
        sampleRate: 8000,
        channels: 1,
        timestamp: nanoseconds,
        position: 0,
        lost: 0
      )
    )
  }

  @Test func `keeps the time of the last frame although the durations are rounded`() throws {
    let recording = try recording()
    for frame in UInt64(0)...3000 { try recording.append(Self.frame(nanoseconds: frame * 999)) }
    #expect(recording.duration == 2997)
  }

  @Test func `writes the sound to the file while the camera delivers no frames`() throws {
    let recording = try recording(sound: .sound(sampleRate: 8000, channels: 1))
    try recording.append(Self.frame(nanoseconds: 0))
    let before = recording.size
    for block in UInt64(0)..<25 { try recording.appendSound(Self.sound(nanoseconds: block * 100_000_000)) }
    #expect(recording.size >= before + 2 * 8000 * 2)
    // A gap of a minute becomes silence, which does not wait in memory.
    try recording.appendSound(Self.sound(nanoseconds: 60_000_000_000))
    #expect(recording.size >= before + 57 * 8000 * 2)
  }
}
