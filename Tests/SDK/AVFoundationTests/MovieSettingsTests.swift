// SPDX-License-Identifier: Apache-2.0

import CoreMedia
import Testing

@testable import AVFoundation

/// The codecs of movies, and the settings that select one.
struct MovieSettingsTests {
  private let output = AVCaptureMovieFileOutput()

  private static func video(_ width: Int, _ height: Int, frameRate: Int32) -> MovieVideo {
    MovieVideo(width: width, height: height, frameDuration: CMTime(value: 1, timescale: frameRate))
  }

  @Test(arguments: [(1920, 1080, 30), (1280, 720, 60), (640, 480, 30), (16, 16, 1)] as [(Int, Int, Int32)])
  func `records H.264 by default if one core encodes it in real time`(
    width: Int,
    height: Int,
    frameRate: Int32
  ) throws {
    let video = Self.video(width, height, frameRate: frameRate)
    #expect(video.codecs == [.h264, .jpeg])
    // The encoder also accepts bit rates outside its range.
    for bitRate in [nil, -1, Int.max] {
      var settings = MovieSettings()
      settings.bitRate = bitRate
      #expect(try video.encoder(settings) != nil)
    }
  }

  @Test(arguments: [(1920, 1080, 60), (3840, 2160, 30), (4096, 2304, 30)] as [(Int, Int, Int32)])
  func `records JPEG by default if H.264 is too slow`(width: Int, height: Int, frameRate: Int32) throws {
    let video = Self.video(width, height, frameRate: frameRate)
    #expect(video.codecs == [.jpeg, .h264])
    #expect(try video.encoder(MovieSettings()) == nil)
    #expect(try video.encoder(MovieSettings([AVVideoCodecKey: AVVideoCodecType.h264])) != nil)
  }

  @Test(arguments: [(641, 480), (640, 481), (8, 480), (8192, 4320)])
  func `has no H.264 for a size that the encoder does not support`(width: Int, height: Int) throws {
    let video = Self.video(width, height, frameRate: 30)
    #expect(video.codecs == [.jpeg])
    let error = #expect(throws: AVError.self) {
      _ = try video.encoder(MovieSettings([AVVideoCodecKey: AVVideoCodecType.h264]))
    }
    #expect(error?.code == .encoderNotFound)
  }

  @Test func `reports a codec without an encoder`() throws {
    let video = Self.video(64, 48, frameRate: 30)
    let error = #expect(throws: AVError.self) {
      _ = try video.encoder(MovieSettings([AVVideoCodecKey: AVVideoCodecType.hevc]))
    }
    #expect(error?.code == .encoderNotFound)
  }

  @Test func `keeps the codec and the bit rate that the app has set`() throws {
    let size = CMVideoDimensions(width: 640, height: 480)
    let format = CMFormatDescription(pixelFormat: kCVPixelFormatType_420YpCbCr8PlanarFullRange, size)
    output.connect(to: [AVCaptureInput.Port(.video, format)])
    let connection = try #require(output.connection(with: .video))
    #expect(output.availableVideoCodecTypes == [.h264, .jpeg])
    #expect(output.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType == .h264)
    let properties = [AVVideoAverageBitRateKey: 1_000_000]
    output.setOutputSettings(
      [AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoCompressionPropertiesKey: properties],
      for: connection
    )
    let settings = output.outputSettings(for: connection)
    #expect(settings[AVVideoCodecKey] as? AVVideoCodecType == .jpeg)
    #expect(settings[AVVideoCompressionPropertiesKey] as? [String: Int] == properties)
    output.setOutputSettings([:], for: connection)
    #expect(output.outputSettings(for: connection)[AVVideoCodecKey] as? AVVideoCodecType == .h264)
  }
}
