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
    for frame in UInt64(0)...3000 { try recording.append(TestFrame.sample(nanoseconds: frame * 999)) }
    #expect(recording.duration == 2997)
  }

  @Test func `writes the sound to the file while the camera delivers no frames`() throws {
    let recording = try recording(sound: .sound(sampleRate: 8000, channels: 1))
    try recording.append(TestFrame.sample(nanoseconds: 0))
    let before = recording.size
    for block in UInt64(0)..<25 { try recording.appendSound(Self.sound(nanoseconds: block * 100_000_000)) }
    #expect(recording.size >= before + 2 * 8000 * 2)
    // A gap of a minute becomes silence, which does not wait in memory.
    try recording.appendSound(Self.sound(nanoseconds: 60_000_000_000))
    #expect(recording.size >= before + 57 * 8000 * 2)
  }
}
