// SPDX-License-Identifier: Apache-2.0

public import CoreMedia

// The features of Apple's cameras that apps enable if they are supported. Setting these properties has no effect.
extension AVCapturePhotoOutput {
  /// Whether photos have a short movie, always `false`.
  public var isLivePhotoCaptureEnabled: Bool {
    get { false }
    set {}
  }

  /// Whether photos have depth data, always `false`.
  public var isDepthDataDeliveryEnabled: Bool {
    get { false }
    set {}
  }

  /// Whether photos have processed raw data, always `false`.
  public var isAppleProRAWEnabled: Bool {
    get { false }
    set {}
  }

  /// Whether photos may be larger than frames, always `false`.
  public var isHighResolutionCaptureEnabled: Bool {
    get { false }
    set {}
  }

  /// Whether quality is reduced for requests in quick succession, always `false`.
  public var isFastCapturePrioritizationSupported: Bool { false }

  /// Whether quality is reduced for requests in quick succession, always `false`.
  public var isFastCapturePrioritizationEnabled: Bool {
    get { false }
    set {}
  }

  /// Whether photos can be processed later, always `false`.
  public var isAutoDeferredPhotoDeliverySupported: Bool { false }

  /// Whether photos are processed later, always `false`.
  public var isAutoDeferredPhotoDeliveryEnabled: Bool {
    get { false }
    set {}
  }

  /// Whether a photo is the frame that was shown at the time of the request, always `true`; setting it has no
  /// effect.
  public var isZeroShutterLagEnabled: Bool {
    get { true }
    set {}
  }

  /// Whether requests in quick succession are possible, always `true`; setting it has no effect.
  public var isResponsiveCaptureEnabled: Bool {
    get { true }
    set {}
  }

  /// Whether photos can be taken without the sound of the shutter, always `false`: an extension plays the sound itself.
  public var isShutterSoundSuppressionSupported: Bool { false }
}

extension AVCapturePhotoSettings {
  /// Creates settings for raw data with a processed file. No camera has raw data here, so the photo is the processed file.
  ///
  /// - Parameters:
  ///   - rawPixelFormatType: The pixel format of the raw data.
  ///   - processedFormat: The format of the processed file, as in ``AVCapturePhotoSettings/init(format:)``.
  public convenience init(rawPixelFormatType: OSType, processedFormat: [String: Any]?) {
    self.init(format: processedFormat)
  }

  /// Whether the photo is taken without the sound of the shutter, always `false`; setting it has no effect.
  public var isShutterSoundSuppressionEnabled: Bool {
    get { false }
    set {}
  }

  /// Whether the photo may be larger than frames, always `false`; setting it has no effect.
  public var isHighResolutionPhotoEnabled: Bool {
    get { false }
    set {}
  }

  /// The pixel formats of a smaller image for display, always empty.
  public var availablePreviewPhotoPixelFormatTypes: [OSType] { [] }

  /// The format of a smaller image for display, always `nil`; setting it has no effect.
  public var previewPhotoFormat: [String: Any]? {
    get { nil }
    set {}
  }

  /// The codecs of a thumbnail in the file, always empty.
  public var availableEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { [] }

  /// The format of a thumbnail in the file, always `nil`; setting it has no effect.
  public var embeddedThumbnailPhotoFormat: [String: Any]? {
    get { nil }
    set {}
  }
}
