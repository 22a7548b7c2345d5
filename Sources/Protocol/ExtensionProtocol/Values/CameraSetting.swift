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
  /// The values from the least to the greatest, where they are not a step apart; empty: they are.
  package var values: [Int]

  /// The values that a camera can have, as Video4Linux counts.
  static let possible = Int(Int32.min)...Int(Int32.max)

  /// Describes a setting.
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

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    name = try fields.string("name")
    minimum = try fields.integer("minimum", in: Self.possible)
    maximum = try fields.integer("maximum", in: minimum...Self.possible.upperBound)
    step = try fields.integer("step", in: 1...Self.possible.upperBound)
    standard = try fields.integer("default", in: Self.possible)
    value = try fields.integer("value", in: Self.possible)
    isAdjustable = try fields.flag("adjustable")
    values = try fields.ifPresent("values", FieldReader.integers) ?? []
  }

  /// Writes it.
  package var json: JSONValue {
    .object([
      "name": .string(name), "minimum": .integer(Int64(minimum)), "maximum": .integer(Int64(maximum)),
      "step": .integer(Int64(step)), "default": .integer(Int64(standard)), "value": .integer(Int64(value)),
      "adjustable": .bool(isAdjustable),
      "values": values.isEmpty ? nil : .array(values.map { .integer(Int64($0)) }),
    ])
  }

  /// Whether a value is one that it can have.
  package func takes(_ value: Int) -> Bool {
    guard values.isEmpty else { return values.contains(value) }
    return value >= minimum && value <= maximum && (value - minimum) % max(1, step) == 0
  }

  /// `0 to 100 in steps of 5`, or `-1000 to 1000, one of -1000, 0, 1000`.
  package var extent: String {
    let ends = "\(minimum) to \(maximum)"
    guard values.isEmpty else { return "\(ends), one of " + values.map { "\($0)" }.joined(separator: ", ") }
    return ends + (step > 1 ? " in steps of \(step)" : "")
  }
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
  /// How much brighter than by itself the camera exposes, in thousandths of a step by which light doubles.
  case exposureBias
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
