// SPDX-License-Identifier: Apache-2.0

internal import CoreMedia
public import LockedCameraCapture

extension AVCaptureSession {
  /// A quality of a session.
  public struct Preset: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the preset.
    public let rawValue: String

    /// Creates a preset from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// For photos.
    public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")
    /// High quality.
    public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
    /// Medium quality.
    public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
    /// Low quality.
    public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
    /// 640 by 480 pixels.
    public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
    /// 1280 by 720 pixels.
    public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
    /// 1920 by 1080 pixels.
    public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
    /// 3840 by 2160 pixels.
    public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")
    /// The format of the input.
    public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")

    /// The size of the frames, or `nil` if the preset has none.
    var dimensions: CMVideoDimensions? {
      switch self {
      case .vga640x480: CMVideoDimensions(width: 640, height: 480)
      case .hd1280x720: CMVideoDimensions(width: 1280, height: 720)
      case .hd1920x1080: CMVideoDimensions(width: 1920, height: 1080)
      case .hd4K3840x2160: CMVideoDimensions(width: 3840, height: 2160)
      default: nil
      }
    }
  }
}
