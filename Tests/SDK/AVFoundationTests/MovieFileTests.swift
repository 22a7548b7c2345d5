// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

@testable import AVFoundation

/// Movies, as ffprobe reads them.
@Suite(.enabled(if: FileSystem.isReadable("/usr/bin/ffprobe")), .waiting) struct MovieFileTests {
  private let path = "/tmp/darkroom-movie-\(Randomness.hexadecimal(bytes: 8)).mov"
  /// A gray JPEG image of 8 by 8 pixels.
  private static let jpeg: [UInt8] = {
    let tables: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + Array(repeating: 1, count: 64)
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    let codes: [UInt8] = [1] + Array(repeating: 0, count: 15) + [0]
    let huffman: [UInt8] = [0xFF, 0xC4, 0, 20, 0] + codes + [0xFF, 0xC4, 0, 20, 0x10] + codes
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F, 0xFF, 0xD9]
    return [0xFF, 0xD8] + tables + frame + huffman + scan
  }()

  /// Writes fragments of ten frames at 25 frames per second, with sound.
  private func write(fragments: Int, isFinished: Bool) throws {
    var movie = try MovieFile.create(
      path,
      video: .video(width: 8, height: 8, FrameGeometry(quarterTurns: 1)),
      sound: .sound(sampleRate: 8000, channels: 2)
    )
    for _ in 0..<fragments {
      for _ in 0..<10 {
        movie.appendFrame(EncodedFrame(bytes: Self.jpeg), duration: 40_000)
        movie.appendSound(MovieAtom.zeros(320 * 4), frames: 320)
      }
      try movie.writeFragment()
    }
    if isFinished { try movie.finish() }
  }

  /// Checks what ffprobe counts and decodes in the movie.
  private func expect(frames: Int, seconds: Double) throws {
    try runShell(
      """
      values() { ffprobe -v error -count_frames -select_streams "$1" -show_entries stream="$2" -of csv=p=0 '\(path)' | sed 's/,*$//'; }
      errors=$(ffprobe -v error -count_frames '\(path)' 2>&1 >/dev/null); echo "$errors"; [ -z "$errors" ]
      counted=$(values v nb_read_frames); echo "$counted"; [ "$counted" = \(frames) ]
      format=$(values a codec_name,sample_rate,channels); echo "$format"; [ "$format" = pcm_s16le,8000,2 ]
      bytes=$(ffmpeg -v error -i '\(path)' -map 0:a -f s16le - | wc -c); echo "$bytes"
      [ "$bytes" = \(Int(seconds * 8000) * 4) ]
      """
    )
  }

  @Test func `has all frames and all sound when it is finished, and tables that fit to them`() throws {
    defer { try? FileSystem.unlink(path) }
    try write(fragments: 3, isFinished: true)
    try expect(frames: 30, seconds: 1.2)
    try runShell(
      """
      length=$(ffprobe -v error -show_entries format=duration -of csv=p=0 '\(path)'); echo "$length"
      [ "$length" = 1.200000 ]
      turn=$(ffprobe -v error -select_streams v -show_entries stream_side_data=rotation -of csv=p=0 '\(path)')
      echo "$turn"; [ "$turn" = -90 ]
      """
    )
  }

  @Test func `has all complete fragments when the recording was cut off at any byte`() throws {
    defer { try? FileSystem.unlink(path) }
    try write(fragments: 2, isFinished: false)
    try expect(frames: 20, seconds: 0.8)
    let whole = try #require(try FileSystem.contents(path, limit: 1 << 20))
    for lost in [1, 100, 6000] {
      try FileSystem.replaceContents(path, with: Array(whole.dropLast(lost)))
      try runShell(
        """
        counted=$(ffprobe -v fatal -count_frames -select_streams v -show_entries stream=nb_read_frames -of csv=p=0 \\
          '\(path)' | sed 's/,*$//'); echo "$counted"; [ "$counted" -ge 10 ]
        """
      )
    }
  }

  @Test func `has the duration of a video that is longer than 32 bits of microseconds`() throws {
    defer { try? FileSystem.unlink(path) }
    let hours = 3
    var movie = try MovieFile.create(path, video: .video(width: 8, height: 8, FrameGeometry()), sound: nil)
    for _ in 0..<hours { movie.appendFrame(EncodedFrame(bytes: Self.jpeg), duration: 3_600_000_000) }
    try movie.finish()
    try runShell(
      """
      length=$(ffprobe -v error -select_streams v -show_entries stream=duration -of csv=p=0 '\(path)')
      echo "$length"; [ "${length%.*}" = \(hours * 3600) ]
      """
    )
  }

  @Test func `does not replace an existing file`() throws {
    defer { try? FileSystem.unlink(path) }
    try FileSystem.replaceContents(path, with: [1])
    let error = #expect(throws: SystemCallError.self) { try write(fragments: 1, isFinished: true) }
    #expect(error?.errno == .fileExists)
    #expect(try FileSystem.contents(path, limit: 10) == [1])
  }
}
