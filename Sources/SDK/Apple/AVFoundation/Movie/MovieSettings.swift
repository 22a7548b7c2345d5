// SPDX-License-Identifier: Apache-2.0
// The constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CoreMedia

/// The key of the properties of a codec in settings; its value is a dictionary.
public let AVVideoCompressionPropertiesKey = "AVVideoCompressionPropertiesKey"
/// The key of the average number of bits per second in the properties of a codec; its value is an `Int`.
public let AVVideoAverageBitRateKey = "AverageBitRate"

/// The codec and the bit rate of a movie, as an app has set them.
struct MovieSettings: Hashable, Sendable {
  /// The codec, or `nil` for the first available one.
  var codec: AVVideoCodecType?
  /// The number of bits per second, or `nil` for the default of the encoder.
  var bitRate: Int?

  /// Creates settings from a dictionary of an app; `nil` and an empty dictionary result in the defaults.
  init(_ dictionary: [String: Any]? = nil) {
    codec = dictionary?[AVVideoCodecKey] as? AVVideoCodecType
    let properties = dictionary?[AVVideoCompressionPropertiesKey] as? [String: Any]
    bitRate = properties?[AVVideoAverageBitRateKey] as? Int
  }
}

/// The size and the rate of the frames that a movie records.
struct MovieVideo: Hashable, Sendable {
  /// The width in pixels.
  let width: Int
  /// The height in pixels.
  let height: Int
  /// The duration of a frame, or an invalid time if it is unknown.
  let frameDuration: CMTime

  /// The number of frames per second, or 30 if the duration of a frame is unknown.
  var frameRate: Double {
    frameDuration.isNumeric && frameDuration > .zero ? 1 / frameDuration.seconds : 30
  }

  /// The codecs, from the default one.
  var codecs: [AVVideoCodecType] {
    guard H264Encoder.supports(width: width, height: height) else { return [.jpeg] }
    let isRealTime = H264Encoder.isRealTime(width: width, height: height, frameRate: frameRate)
    return isRealTime ? [.h264, .jpeg] : [.jpeg, .h264]
  }

  /// Returns the encoder for H.264, or `nil` for JPEG.
  ///
  /// - Parameter settings: The settings.
  /// - Returns: The encoder.
  /// - Throws: ``AVError``: `encoderNotFound` if the codec is not in ``codecs``.
  func encoder(_ settings: MovieSettings) throws(AVError) -> H264Encoder? {
    let codec = settings.codec ?? codecs[0]
    guard codecs.contains(codec) else { throw AVError(.encoderNotFound) }
    guard codec == .h264 else { return nil }
    return try H264Encoder(width: width, height: height, frameRate: frameRate, bitRate: settings.bitRate)
  }
}
