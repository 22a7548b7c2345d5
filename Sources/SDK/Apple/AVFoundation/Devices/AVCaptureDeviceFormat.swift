// SPDX-License-Identifier: Apache-2.0

public import CoreMedia
public import Foundation
public import LockedCameraCapture

extension AVCaptureDevice {
  /// The format of a device. A device has one format here, because the host selects it.
  public final class Format: Sendable, Hashable {
    /// The format of the samples.
    public let formatDescription: CMFormatDescription
    /// The frame rates; empty for sound.
    public let videoSupportedFrameRateRanges: [AVFrameRateRange]
    /// The sizes of photos; empty for sound.
    public let supportedMaxPhotoDimensions: [CMVideoDimensions]
    /// The format of the sensor's samples, or `nil` if the device does not deliver them.
    let rawPixelFormat: CVPixelFormat?

    init(_ camera: SessionCamera) {
      let dimensions = CMVideoDimensions(width: Int32(camera.width), height: Int32(camera.height))
      formatDescription = CMFormatDescription(
        pixelFormat: kCVPixelFormatType_420YpCbCr8PlanarFullRange,
        dimensions
      )
      let frame = CMTime(
        value: Int64(camera.rateDenominator),
        timescale: Int32(clamping: camera.rateNumerator)
      )
      videoSupportedFrameRateRanges = [AVFrameRateRange(frame)]
      supportedMaxPhotoDimensions = [dimensions]
      rawPixelFormat = camera.rawPattern.map { CVPixelFormat($0) }
    }

    init(_ microphone: SessionMicrophone) {
      formatDescription = CMFormatDescription(
        sampleRate: microphone.sampleRate,
        channels: microphone.channels
      )
      (videoSupportedFrameRateRanges, supportedMaxPhotoDimensions, rawPixelFormat) = ([], [], nil)
    }

    /// The type of media.
    public var mediaType: AVMediaType { formatDescription.mediaType == kCMMediaType_Video ? .video : .audio }

    /// The maximum magnification of the camera; 1 for sound.
    public var videoMaxZoomFactor: CGFloat {
      mediaType == .video ? AVCaptureDevice.default(for: .video)?.maxAvailableVideoZoomFactor ?? 1 : 1
    }

    /// Whether frames can have a high dynamic range, always `false`.
    public var isVideoHDRSupported: Bool { false }

    /// Whether several cameras can run at the same time, always `false`.
    public var isMultiCamSupported: Bool { false }

    /// Returns whether both formats are the same object.
    public static func == (one: Format, other: Format) -> Bool { one === other }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// The formats of the device.
  public var formats: [Format] { [state.format] }

  /// The format of the device; setting it has no effect, because the device has one format.
  public var activeFormat: Format {
    get { state.format }
    set { requireLock("activeFormat") }
  }

  /// The duration of a frame; setting it has no effect, because the host selects the frame rate.
  public var activeVideoMinFrameDuration: CMTime {
    get { state.format.videoSupportedFrameRateRanges.first?.minFrameDuration ?? .invalid }
    set { requireLock("activeVideoMinFrameDuration") }
  }

  /// The duration of a frame; setting it has no effect, because the host selects the frame rate.
  public var activeVideoMaxFrameDuration: CMTime {
    get { state.format.videoSupportedFrameRateRanges.first?.maxFrameDuration ?? .invalid }
    set { requireLock("activeVideoMaxFrameDuration") }
  }
}

/// A range of frame rates.
public final class AVFrameRateRange: Sendable {
  /// The minimum duration of a frame.
  public let minFrameDuration: CMTime
  /// The maximum duration of a frame.
  public let maxFrameDuration: CMTime

  /// Creates the range of one rate.
  init(_ frameDuration: CMTime) { (minFrameDuration, maxFrameDuration) = (frameDuration, frameDuration) }

  /// The minimum rate, in frames per second.
  public var minFrameRate: Double { 1 / maxFrameDuration.seconds }

  /// The maximum rate, in frames per second.
  public var maxFrameRate: Double { 1 / minFrameDuration.seconds }
}
