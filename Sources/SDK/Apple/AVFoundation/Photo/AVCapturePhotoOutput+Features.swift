// SPDX-License-Identifier: Apache-2.0

public import CoreMedia

// The formats of files.
extension AVCapturePhotoOutput {
  /// The codecs of photos: only JPEG.
  public var availablePhotoCodecTypes: [AVVideoCodecType] { [.jpeg] }

  /// The formats of files: JPEG and TIFF.
  public var availablePhotoFileTypes: [AVFileType] { [.jpg, .tif] }

  /// The pixel formats of photos of pixels.
  public var availablePhotoPixelFormatTypes: [OSType] { CVPixelFormat.processed.map(\.rawValue) }

  /// The formats of raw data: one if the camera delivers the samples of its sensor, otherwise none.
  public var availableRawPhotoPixelFormatTypes: [OSType] { rawPixelFormat.map { [$0.rawValue] } ?? [] }

  /// The formats of files with raw data: DNG if the camera delivers the samples of its sensor, otherwise none.
  public var availableRawPhotoFileTypes: [AVFileType] { rawPixelFormat == nil ? [] : [.dng] }

  /// Returns the codecs for a format of files: JPEG for a JPEG file, otherwise none.
  public func supportedPhotoCodecTypes(for fileType: AVFileType) -> [AVVideoCodecType] {
    fileType == .jpg ? availablePhotoCodecTypes : []
  }

  /// Returns the pixel formats for a format of files: all for a TIFF file, otherwise none.
  public func supportedPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] {
    fileType == .tif ? availablePhotoPixelFormatTypes : []
  }

  /// Returns the formats of raw data for a format of files: those of the camera for a DNG file, otherwise none.
  public func supportedRawPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] {
    fileType == .dng ? availableRawPhotoPixelFormatTypes : []
  }

  /// Returns whether a pixel format has the samples of a sensor with a Bayer filter: Apple's formats of 14 bits.
  public static func isBayerRAWPixelFormat(_ pixelFormat: OSType) -> Bool {
    CVPixelFormat(rawValue: pixelFormat)?.isRaw == true
  }

  /// Returns whether a pixel format has processed raw data: the format with the code `l64r`.
  public static func isAppleProRAWPixelFormat(_ pixelFormat: OSType) -> Bool { pixelFormat == 0x6C36_3472 }
}

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
  /// Creates settings for raw data. If the camera has none in this format, a request ends with an error.
  ///
  /// - Parameter rawPixelFormatType: One of ``AVCapturePhotoOutput/availableRawPhotoPixelFormatTypes``.
  public convenience init(rawPixelFormatType: OSType) {
    self.init(rawPixelFormatType: rawPixelFormatType, processedFormat: nil)
  }

  /// Creates settings for raw data with a processed file. If the camera has no raw data in this format, the request has only
  /// the processed file.
  ///
  /// - Parameters:
  ///   - rawPixelFormatType: One of ``AVCapturePhotoOutput/availableRawPhotoPixelFormatTypes``.
  ///   - processedFormat: The format of the processed file, as in ``AVCapturePhotoSettings/init(format:)``, or `nil` for
  ///     raw data only.
  public convenience init(rawPixelFormatType: OSType, processedFormat: [String: Any]?) {
    self.init(
      rawPixelFormatType: rawPixelFormatType,
      rawFileType: nil,
      processedFormat: processedFormat,
      processedFileType: nil
    )
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
