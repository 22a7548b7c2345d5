// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What the camera itself can be set to: its range, and what it is set to now.
package struct CameraSetting: WireValue, Hashable {
  /// What can be set, as ``CameraSettingName`` has it; a name of a later version is possible.
  package var name: String
  /// The least value.
  package var minimum: Int
  /// The greatest.
  package var maximum: Int
  /// From one value to the next; at least 1.
  package var step: Int
  /// The value that the camera has when nobody has set it.
  package var standard: Int
  /// The value now.
  package var value: Int
  /// Whether it can be set now; an automatic that sets it itself has to be turned off first.
  package var isAdjustable: Bool

  /// The values that a camera can have, as Video4Linux counts.
  static let values = Int(Int32.min)...Int(Int32.max)

  /// Describes a setting.
  package init(
    _ name: CameraSettingName,
    from minimum: Int,
    to maximum: Int,
    step: Int = 1,
    standard: Int,
    value: Int,
    isAdjustable: Bool = true
  ) {
    self.name = name.rawValue
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.standard = standard
    self.value = value
    self.isAdjustable = isAdjustable
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    name = try fields.string("name")
    minimum = try fields.integer("minimum", in: Self.values)
    maximum = try fields.integer("maximum", in: minimum...Self.values.upperBound)
    step = try fields.integer("step", in: 1...Self.values.upperBound)
    standard = try fields.integer("default", in: Self.values)
    value = try fields.integer("value", in: Self.values)
    isAdjustable = try fields.flag("adjustable")
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "name": .string(name), "minimum": .integer(Int64(minimum)), "maximum": .integer(Int64(maximum)),
      "step": .integer(Int64(step)), "default": .integer(Int64(standard)), "value": .integer(Int64(value)),
      "adjustable": .bool(isAdjustable),
    ]
  }

  /// Whether a value is one that it can have.
  package func takes(_ value: Int) -> Bool {
    value >= minimum && value <= maximum && (value - minimum) % max(1, step) == 0
  }

  /// `0 to 100 in steps of 5`.
  package var extent: String { "\(minimum) to \(maximum)" + (step > 1 ? " in steps of \(step)" : "") }
}

/// What extensions may set at a camera. Whatever tells the person that it sees them is not among it: no lamp, no shutter.
package enum CameraSettingName: String, CaseIterable, Sendable {
  /// How near things are, in steps of the camera's own.
  case zoom
  /// How far away the sharp plane is, in steps of the camera's own.
  case focus
  /// 1: the camera focuses by itself.
  case automaticFocus
  /// How long a frame is exposed, in units of 100 microseconds.
  case exposure
  /// 1: the camera exposes by itself.
  case automaticExposure
  /// How much the signal of the sensor is amplified.
  case gain
  /// 1: the camera amplifies by itself.
  case automaticGain
  /// The colour of the light, in kelvins.
  case whiteBalance
  /// 1: the camera finds the colour of the light by itself.
  case automaticWhiteBalance
  /// How bright the picture is.
  case brightness
  /// How much bright differs from dark.
  case contrast
  /// How strong colours are.
  case saturation
  /// By how much colours are turned.
  case hue
  /// How middle tones are shown.
  case gamma
  /// How much edges are stressed.
  case sharpness
  /// How much is done against light from behind.
  case backlightCompensation
  /// Where the camera looks, to the sides, in seconds of arc.
  case pan
  /// Where the camera looks, up and down, in seconds of arc.
  case tilt

  /// The automatic that sets this while it is on; nil: there is none.
  package var automatic: CameraSettingName? {
    switch self {
    case .focus: .automaticFocus
    case .exposure: .automaticExposure
    case .gain: .automaticGain
    case .whiteBalance: .automaticWhiteBalance
    default: nil
    }
  }
}

/// The result of `camera/settings`.
package struct CameraSettingsResult: WireValue {
  /// What can be set, each once.
  package var settings: [CameraSetting]

  /// Makes a result.
  package init(_ settings: [CameraSetting]) { self.settings = settings }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    var settings: [CameraSetting] = []
    for setting in try fields.objects("settings") { settings.append(try CameraSetting(from: setting)) }
    self.settings = settings
  }

  /// Writes it.
  package var json: JSONValue { ["settings": .array(settings.map(\.json))] }
}

/// What the camera is to be set to: the parameters of `camera/set`.
package struct CameraSettingWish: WireValue, Hashable {
  /// What is to be set.
  package var name: String
  /// To which value.
  package var value: Int

  /// Describes a wish.
  package init(name: String, value: Int) {
    self.name = name
    self.value = value
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    name = try fields.string("name")
    value = try fields.integer("value", in: CameraSetting.values)
  }

  /// Writes it.
  package var json: JSONValue { ["name": .string(name), "value": .integer(Int64(value))] }
}

/// The result of `camera/set`.
package struct CameraSettingResult: WireValue {
  /// The value that the camera has now, which may be another than the one that was asked for.
  package var value: Int

  /// Makes a result.
  package init(value: Int) { self.value = value }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    value = try fields.integer("value", in: CameraSetting.values)
  }

  /// Writes it.
  package var json: JSONValue { ["value": .integer(Int64(value))] }
}
