// SPDX-License-Identifier: Apache-2.0
// The functions and constants have the names of Apple's C interface.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CoreVideo

/// The size of a video in pixels.
public struct CMVideoDimensions: Hashable, Sendable {
  /// The width in pixels.
  public var width: Int32
  /// The height in pixels.
  public var height: Int32

  /// Creates a size of 0 by 0 pixels.
  public init() { self.init(width: 0, height: 0) }

  /// Creates a size.
  public init(width: Int32, height: Int32) { (self.width, self.height) = (width, height) }
}

/// The format of samples of sound; the fields of Apple's type that uncompressed sound has.
public struct AudioStreamBasicDescription: Hashable, Sendable {
  /// The number of sample frames per second.
  public var mSampleRate: Double
  /// The format: `kAudioFormatLinearPCM`.
  public var mFormatID: UInt32
  /// The number of bytes in a sample frame.
  public var mBytesPerFrame: UInt32
  /// The number of channels.
  public var mChannelsPerFrame: UInt32
  /// The number of bits in a sample: 16, signed and little-endian.
  public var mBitsPerChannel: UInt32
}

/// Uncompressed sound.
public let kAudioFormatLinearPCM: UInt32 = 0x6C70_636D
/// The media type of video.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// The media type of sound.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E

/// A media type, as a four-character code.
public typealias CMMediaType = OSType

/// The format of video or sound.
public final class CMFormatDescription: Sendable {
  /// The parts that differ between video and sound.
  private enum Content: Sendable {
    case video(OSType, CMVideoDimensions)
    case audio(AudioStreamBasicDescription)
  }

  private let content: Content

  /// Creates the format of a video.
  package init(pixelFormat: OSType, _ dimensions: CMVideoDimensions) {
    content = .video(pixelFormat, dimensions)
  }

  /// Creates the format of 16-bit sound.
  package init(sampleRate: Int, channels: Int) {
    content = .audio(
      AudioStreamBasicDescription(
        mSampleRate: Double(sampleRate),
        mFormatID: kAudioFormatLinearPCM,
        mBytesPerFrame: UInt32(channels * 2),
        mChannelsPerFrame: UInt32(channels),
        mBitsPerChannel: 16
      )
    )
  }

  /// The media type, as a four-character code.
  public var mediaType: CMMediaType {
    switch content {
    case .video: kCMMediaType_Video
    case .audio: kCMMediaType_Audio
    }
  }

  /// The pixel format of video, or the format of sound.
  public var mediaSubType: OSType {
    switch content {
    case .video(let format, _): format
    case .audio(let format): format.mFormatID
    }
  }

  /// The size of video in pixels; 0 by 0 for sound.
  public var dimensions: CMVideoDimensions {
    guard case .video(_, let dimensions) = content else { return CMVideoDimensions() }
    return dimensions
  }

  /// The format of sound, or `nil` for video.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? {
    guard case .audio(let format) = content else { return nil }
    return format
  }
}

/// Apple's name for the format of video.
public typealias CMVideoFormatDescription = CMFormatDescription
/// Apple's name for the format of sound.
public typealias CMAudioFormatDescription = CMFormatDescription

/// Returns the size of a video in pixels.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions
{
  videoDesc.dimensions
}

/// Returns the media type of a format.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaType }

/// Returns the pixel format of video, or the format of sound.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> OSType { desc.mediaSubType }
