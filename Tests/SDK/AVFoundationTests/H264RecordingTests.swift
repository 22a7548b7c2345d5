// SPDX-License-Identifier: Apache-2.0

import CoreMedia
import LinuxPrimitives
import TestSupport
import Testing

@testable import AVFoundation

/// Movies in H.264, as ffmpeg reads them. The file is removed when the test returns.
@Suite(.enabled(if: FileSystem.isReadable("/usr/bin/ffprobe")), .waiting)
final class H264RecordingTests {
  private let path = "/tmp/darkroom-h264-\(Randomness.hexadecimal(bytes: 8)).mov"
  private static let (width, height) = (66, 50)

  deinit { for path in [path, path + ".text"] { try? FileSystem.unlink(path) } }

  /// Links the encoder, as an app does that creates an output.
  private let output = AVCaptureMovieFileOutput()

  private func recording() throws -> MovieRecording {
    let encoder = try H264Encoder(width: Self.width, height: Self.height, frameRate: 30, bitRate: nil)
    return try MovieRecording(
      path,
      video: .video(
        width: Self.width,
        height: Self.height,
        FrameGeometry(),
        h264: encoder.configuration
      ),
      sound: nil,
      encoder: encoder,
      frameDuration: CMTime(value: 1, timescale: 25),
      MovieRecording.Limits()
    )
  }

  /// Adds a frame of one color.
  private func append(_ recording: MovieRecording, milliseconds: Int, _ color: TestFrame.Color) throws {
    let nanoseconds = UInt64(milliseconds) * 1_000_000
    try recording.append(
      TestFrame.sample(nanoseconds: nanoseconds, width: Self.width, height: Self.height, color)
    )
  }

  /// Adds gray frames at 10 frames per second.
  private func append(_ recording: MovieRecording, frames: Range<Int>) throws {
    for frame in frames {
      try append(recording, milliseconds: frame * 100, TestFrame.Color(luma: UInt8(50 + frame)))
    }
  }

  /// Returns the lines that a shell command prints, without commas at their ends; the command finds the movie in
  /// `$movie`, and must not print errors.
  private func lines(_ command: String) throws -> [String] {
    try runShell("movie='\(path)'; { \(command); } >'\(path).text' 2>&1")
    let text = try #require(try FileSystem.contents(path + ".text", limit: 1 << 20))
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
      String(line.last == "," ? line.dropLast() : line)
    }
  }

  /// Returns the time and the flags of each frame in the file, such as `0.500000,K__`.
  private func packets() throws -> [String] {
    try lines("ffprobe -v error -show_entries packet=pts_time,flags -of csv=p=0 \"$movie\"")
  }

  @Test func `has the colors and the times of all frames`() throws {
    let colors = [
      TestFrame.Color(luma: 0), TestFrame.Color(luma: 255), TestFrame.Color(luma: 76, blue: 85, red: 255),
      TestFrame.Color(luma: 29, blue: 255, red: 107),
    ]
    let recording = try recording()
    // The intervals differ, as those of a camera in the dark.
    for (time, color) in zip([0, 33, 1100, 1501], colors) {
      try append(recording, milliseconds: time, color)
    }
    try recording.finish()
    #expect(
      try packets().map { $0.prefix { $0 != "," } } == ["0.000000", "0.033000", "1.100000", "1.501000"]
    )
    let format = "codec_name,profile,width,height,pix_fmt,color_range,color_space"
    #expect(
      try lines("ffprobe -v error -show_entries stream=\(format) -of csv=p=0 \"$movie\"")
        == ["h264,High,\(Self.width),\(Self.height),yuvj420p,pc,smpte170m"]
    )
    // The first and the last sample of each plane of each frame.
    let planes = try lines(
      "ffmpeg -v error -i \"$movie\" -fps_mode passthrough -f rawvideo -pix_fmt yuvj420p - | od -An -v -tu1 -w1"
    ).compactMap { Int($0.filter { $0 != " " }) }
    let (luma, chroma) = (Self.width * Self.height, Self.width * Self.height / 4)
    try #require(planes.count == colors.count * (luma + 2 * chroma))
    for (index, color) in colors.enumerated() {
      let frame = planes[(index * (luma + 2 * chroma))...].prefix(luma + 2 * chroma)
      let bounds = [(0, luma, color.luma), (luma, chroma, color.blue), (luma + chroma, chroma, color.red)]
      for (start, count, sample) in bounds {
        let plane = frame.dropFirst(start).prefix(count)
        // The codec is lossy: samples at edges of blocks differ more than their mean.
        let differences = plane.map { abs($0 - Int(sample)) }
        #expect(differences.reduce(0, +) <= 2 * count, "frame \(index), expected \(sample)")
        #expect(differences.allSatisfy { $0 <= 24 }, "frame \(index), expected \(sample)")
      }
    }
  }

  @Test func `starts each fragment with a keyframe, and lists the keyframes of a complete movie`() throws {
    let recording = try recording()
    try append(recording, frames: 0..<25)
    try recording.finish()
    let keyframes = try packets().filter { $0.contains("K") }.map { $0.prefix { $0 != "," } }
    #expect(keyframes == ["0.000000", "1.000000", "2.000000"])
    // A player seeks to the keyframe before the time, and decodes without errors from there.
    let frames = try lines(
      "ffprobe -v error -read_intervals 1.5% -show_entries frame=pts_time -of csv=p=0 \"$movie\""
    )
    #expect(frames.first == "1.000000" && frames.count == 15)
  }

  @Test func `is playable after the process was terminated, without the frames of the last second`() throws {
    let recording = try recording()
    try append(recording, frames: 0..<25)
    let packets = try packets()
    #expect(packets.count == 20)
    #expect(
      packets.filter { $0.contains("K") }.map { $0.prefix { $0 != "," } } == ["0.000000", "1.000000"]
    )
    #expect(try lines("ffmpeg -v error -i \"$movie\" -f null -").isEmpty)
    withExtendedLifetime(recording) {}
  }

  @Test func `leaves out a frame that the host has overwritten`() throws {
    let recording = try recording()
    try append(recording, frames: 0..<3)
    try TestFrame.withOverwrittenSample(
      nanoseconds: 300_000_000,
      width: Self.width,
      height: Self.height,
      recording.append
    )
    try append(recording, frames: 4..<7)
    try recording.finish()
    let packets = try packets()
    #expect(
      packets.map { $0.prefix { $0 != "," } }
        == ["0.000000", "0.100000", "0.200000", "0.400000", "0.500000", "0.600000"]
    )
    #expect(packets.map { $0.contains("K") } == [true, false, false, false, false, false])
    #expect(try lines("ffmpeg -v error -i \"$movie\" -f null -").isEmpty)
  }

  @Test func `rejects a frame of another size, and keeps the frames before it`() throws {
    let recording = try recording()
    try append(recording, frames: 0..<3)
    let other = try TestFrame.sample(nanoseconds: 300_000_000, width: 32, height: 32)
    let error = #expect(throws: AVError.self) { try recording.append(other) }
    #expect(error?.code == .sessionConfigurationChanged)
    try recording.finish()
    #expect(try packets().count == 3)
    #expect(try lines("ffmpeg -v error -i \"$movie\" -f null -").isEmpty)
  }

  @Test(arguments: [250_000, 1_000_000])
  func `has the bit rate that the app has set`(bitRate: Int) throws {
    let encoder = try H264Encoder(width: 320, height: 240, frameRate: 30, bitRate: bitRate)
    var bytes = 0
    for frame in 0..<90 {
      let sample = try TestFrame.noise(nanoseconds: UInt64(frame), width: 320, height: 240)
      let encoded = sample.imageBuffer?.withFrame { pixels in
        encoder.encode(pixels, isKeyframe: frame == 0, milliseconds: Int64(frame * 1000 / 30))
      }
      bytes += (encoded ?? nil)?.bytes.count ?? 0
    }
    #expect((0.7...1.3).contains(Double(bytes * 8 / 3) / Double(bitRate)), "\(bytes * 8 / 3)")
  }
}
