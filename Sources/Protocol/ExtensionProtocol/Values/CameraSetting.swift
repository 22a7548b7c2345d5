// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A setting of the camera: its range and its current value.
package struct CameraSetting: WireValue, Hashable {
  /// The setting's name: one of ``CameraSettingName``, or a name of a later version.
  package var name: String
  /// The minimum value.
  package var minimum: Int
  /// The maximum value.
  package var maximum: Int
  /// The distance between two values; at least 1.
  package var step: Int
  /// The camera's default value.
  package var standard: Int
  /// The current value.
  package var value: Int
  /// Whether the value can be set now. An automatic mode that controls the value must be disabled first.
  package var isAdjustable: Bool
  /// The possible values in ascending order; empty if they are `step` apart.
  package var values: [Int]

  /// The values that Video4Linux supports.
  static let valueRange = Int(Int32.min)...Int(Int32.max)

  /// Creates a setting.
  package init(
    _ name: CameraSettingName,
    from minimum: Int,
    to maximum: Int,
    step: Int = 1,
    standard: Int,
    value: Int,
    isAdjustable: Bool = true,
    values: [Int] = []
  ) {
    self.name = name.rawValue
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.standard = standard
    self.value = value
    self.isAdjustable = isAdjustable
    self.values = values
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    name = try fields.string("name")
    minimum = try fields.integer("minimum", in: Self.valueRange)
    maximum = try fields.integer("maximum", in: minimum...Self.valueRange.upperBound)
    step = try fields.integer("step", in: 1...Self.valueRange.upperBound)
    standard = try fields.integer("default", in: Self.valueRange)
    value = try fields.integer("value", in: Self.valueRange)
    isAdjustable = try fields.flag("adjustable")
    values = try fields.ifPresent("values", FieldReader.integers) ?? []
  }

  /// The value as JSON.
  package var json: JSONValue {
    .object([
      "name": .string(name), "minimum": .integer(Int64(minimum)), "maximum": .integer(Int64(maximum)),
      "step": .integer(Int64(step)), "default": .integer(Int64(standard)), "value": .integer(Int64(value)),
      "adjustable": .bool(isAdjustable),
      "values": values.isEmpty ? nil : .array(values.map { .integer(Int64($0)) }),
    ])
  }

  /// Whether the setting can have a value.
  package func accepts(_ value: Int) -> Bool {
    guard values.isEmpty else { return values.contains(value) }
    return value >= minimum && value <= maximum && (value - minimum) % max(1, step) == 0
  }

  /// The range as text, for example `0 to 100 in steps of 5` or `-1000 to 1000, one of -1000, 0, 1000`.
  package var rangeText: String {
    let ends = "\(minimum) to \(maximum)"
    guard values.isEmpty else { return "\(ends), one of " + values.map { "\($0)" }.joined(separator: ", ") }
    return ends + (step > 1 ? " in steps of \(step)" : "")
  }
}

/// The camera settings that extensions may change. Indicators of the camera's use, such as an indicator light or a
/// shutter, are not among them.
package enum CameraSettingName: String, CaseIterable, Sendable {
  /// The magnification, in steps of the camera.
  case zoom
  /// The focus distance, in steps of the camera.
  case focus
  /// Whether the camera focuses automatically: 0 or 1.
  case automaticFocus
  /// The exposure time, in units of 100 microseconds.
  case exposure
  /// Whether the camera sets the exposure automatically: 0 or 1.
  case automaticExposure
  /// The exposure compensation, in thousandths of an EV.
  case exposureBias
  /// The amplification of the sensor's signal.
  case gain
  /// Whether the camera sets the gain automatically: 0 or 1.
  case automaticGain
  /// The color temperature, in kelvins.
  case whiteBalance
  /// Whether the camera sets the white balance automatically: 0 or 1.
  case automaticWhiteBalance
  /// The brightness of the image.
  case brightness
  /// The contrast of the image.
  case contrast
  /// The saturation of colors.
  case saturation
  /// The rotation of hues.
  case hue
  /// The gamma correction.
  case gamma
  /// The sharpening of edges.
  case sharpness
  /// The compensation of light from behind.
  case backlightCompensation
  /// The horizontal direction of the camera, in seconds of arc.
  case pan
  /// The vertical direction of the camera, in seconds of arc.
  case tilt
  /// Whether the torch is lit: 0 or 1.
  case torch
  /// The brightness of the torch, in units of the camera.
  case torchLevel

  /// The automatic mode that controls the setting while it is on, or `nil` if there is none.
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
