// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What the camera of a session can be set to: its range, and what it is set to now.
///
/// Apple's counterparts are properties of `AVCaptureDevice`, `videoZoomFactor` and `lensPosition` among them. Here a camera
/// says itself what it has, in numbers of its own: a camera of the machine can be any.
public struct CameraSetting: Hashable, Sendable {
  /// What can be set; a host of a later version may know more.
  public struct Name: RawRepresentable, Hashable, Sendable {
    /// The protocol's word.
    public let rawValue: String

    /// Makes a name of the protocol's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: CameraSettingName) { rawValue = name.rawValue }

    /// How near things are, in steps of the camera's own.
    public static let zoom = Name(.zoom)
    /// How far away the sharp plane is, in steps of the camera's own.
    public static let focus = Name(.focus)
    /// 1: the camera focuses by itself.
    public static let automaticFocus = Name(.automaticFocus)
    /// How long a frame is exposed, in units of 100 microseconds.
    public static let exposure = Name(.exposure)
    /// 1: the camera exposes by itself.
    public static let automaticExposure = Name(.automaticExposure)
    /// How much brighter than by itself the camera exposes, in thousandths of a step by which light doubles, as
    /// `exposureTargetBias` in steps.
    public static let exposureBias = Name(.exposureBias)
    /// How much the signal of the sensor is amplified.
    public static let gain = Name(.gain)
    /// 1: the camera amplifies by itself.
    public static let automaticGain = Name(.automaticGain)
    /// The colour of the light, in kelvins.
    public static let whiteBalance = Name(.whiteBalance)
    /// 1: the camera finds the colour of the light by itself.
    public static let automaticWhiteBalance = Name(.automaticWhiteBalance)
    /// How bright the picture is.
    public static let brightness = Name(.brightness)
    /// How much bright differs from dark.
    public static let contrast = Name(.contrast)
    /// How strong colours are.
    public static let saturation = Name(.saturation)
    /// By how much colours are turned.
    public static let hue = Name(.hue)
    /// How middle tones are shown.
    public static let gamma = Name(.gamma)
    /// How much edges are stressed.
    public static let sharpness = Name(.sharpness)
    /// How much is done against light from behind.
    public static let backlightCompensation = Name(.backlightCompensation)
    /// Where the camera looks, to the sides, in seconds of arc.
    public static let pan = Name(.pan)
    /// Where the camera looks, up and down, in seconds of arc.
    public static let tilt = Name(.tilt)
  }

  /// What can be set.
  public let name: Name
  /// The least and the greatest value.
  public let range: ClosedRange<Int>
  /// From one value to the next; at least 1.
  public let step: Int
  /// The value that the camera has when nobody has set it.
  public let defaultValue: Int
  /// The value now.
  public let value: Int
  /// Whether it can be set now; an automatic that sets it itself has to be turned off first.
  public let isAdjustable: Bool

  /// The values from the least to the greatest, where they are not a step apart; empty: they are.
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
