// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// A setting of the session's camera: its range and its current value.
///
/// Apple's counterparts are properties of `AVCaptureDevice`, such as `videoZoomFactor` and `lensPosition`.
/// Here each camera reports its settings in its own units, because a machine can have any camera.
public struct CameraSetting: Hashable, Sendable {
  /// The name of a camera setting; later versions of the host may define more.
  public struct Name: RawRepresentable, Hashable, Sendable {
    /// The name in the protocol.
    public let rawValue: String

    /// Creates a name from its spelling in the protocol.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: CameraSettingName) { rawValue = name.rawValue }

    /// The automatic mode that changes the setting while it is on, or `nil` if there is none.
    package var automatic: Name? { CameraSettingName(rawValue: rawValue)?.automatic.map { Name($0) } }

    /// The zoom, in units of the camera.
    public static let zoom = Name(.zoom)
    /// The focus distance, in units of the camera.
    public static let focus = Name(.focus)
    /// Whether the camera focuses automatically: 1 if so.
    public static let automaticFocus = Name(.automaticFocus)
    /// The exposure time, in units of 100 microseconds.
    public static let exposure = Name(.exposure)
    /// Whether the camera sets the exposure automatically: 1 if so.
    public static let automaticExposure = Name(.automaticExposure)
    /// The exposure compensation, in thousandths of an exposure value (EV); `exposureTargetBias` has the same
    /// meaning in units of EV.
    public static let exposureBias = Name(.exposureBias)
    /// The gain of the sensor.
    public static let gain = Name(.gain)
    /// Whether the camera sets the gain automatically: 1 if so.
    public static let automaticGain = Name(.automaticGain)
    /// The white balance temperature, in kelvins.
    public static let whiteBalance = Name(.whiteBalance)
    /// Whether the camera sets the white balance automatically: 1 if so.
    public static let automaticWhiteBalance = Name(.automaticWhiteBalance)
    /// The brightness.
    public static let brightness = Name(.brightness)
    /// The contrast.
    public static let contrast = Name(.contrast)
    /// The color saturation.
    public static let saturation = Name(.saturation)
    /// The hue shift.
    public static let hue = Name(.hue)
    /// The gamma.
    public static let gamma = Name(.gamma)
    /// The sharpness.
    public static let sharpness = Name(.sharpness)
    /// The backlight compensation.
    public static let backlightCompensation = Name(.backlightCompensation)
    /// The horizontal direction of the camera, in arc seconds.
    public static let pan = Name(.pan)
    /// The vertical direction of the camera, in arc seconds.
    public static let tilt = Name(.tilt)
    /// Whether the torch of the camera is lit: 1 if so.
    public static let torch = Name(.torch)
    /// The brightness of the torch, in units of the camera.
    public static let torchLevel = Name(.torchLevel)
  }

  /// The name of the setting.
  public let name: Name
  /// The minimum and maximum values.
  public let range: ClosedRange<Int>
  /// The difference between adjacent values; at least 1.
  public let step: Int
  /// The value that the camera has by default.
  public let defaultValue: Int
  /// The current value.
  public let value: Int
  /// Whether the value can be set now.
  ///
  /// A setting that the camera controls automatically cannot be set until the automatic mode is off.
  public let isAdjustable: Bool

  /// The possible values in ascending order if they are not ``step`` apart; otherwise empty.
  public let values: [Int]

  init(_ setting: ExtensionProtocol.CameraSetting) {
    name = Name(rawValue: setting.name)
    range = setting.minimum...setting.maximum
    step = setting.step
    defaultValue = setting.standard
    value = setting.value
    isAdjustable = setting.isAdjustable
    values = setting.values
  }
}
