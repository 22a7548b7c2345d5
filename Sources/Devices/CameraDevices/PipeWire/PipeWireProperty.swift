// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import ExtensionProtocol

extension darkroom_pipewire_property {
  /// The number of integer steps per unit. Fractional properties are converted to hundredths.
  fileprivate var scale: Double { kind == .fraction ? 100 : 1 }

  /// Converts a control value to a property value.
  func number(_ value: Int) -> Double { Double(value) / scale }

  /// Converts a property value to a control value, or returns `nil` if it is not finite.
  fileprivate func value(_ number: Double) -> Int? {
    let scaled = number * scale
    guard scaled.isFinite else { return nil }
    return Int(min(max(scaled, Double(Int32.min)), Double(Int32.max)).rounded())
  }
}

extension DeviceControl {
  /// Creates a control from a property, or returns `nil` if the property has no valid range.
  init?(_ property: darkroom_pipewire_property) {
    guard let minimum = property.value(property.minimum), let maximum = property.value(property.maximum),
      let standard = property.value(property.standard), minimum <= maximum
    else { return nil }
    let kind: Kind =
      switch property.kind {
      case .integer, .fraction: .integer
      case .boolean: .boolean
      case .menu: .menu
      }
    self.init(
      id: property.control,
      title: V4L2Device.text(property.title),
      kind: kind,
      from: minimum,
      to: maximum,
      step: max(1, property.value(property.step) ?? 1),
      standard: standard,
      value: property.has_value ? property.value(property.value) : nil
    )
  }

  /// Whether two values are equal for the node, which stores fractions with single precision.
  static func isSame(_ one: Double, _ other: Double) -> Bool { Float(one) == Float(other) }

  /// Returns the controls, with those inactive that an automatic mode currently sets: PipeWire does not pass
  /// on the flag `V4L2_CTRL_FLAG_INACTIVE`.
  package static func disablingAutomaticControls(_ controls: [DeviceControl]) -> [DeviceControl] {
    let isOn = Dictionary(controls.map { ($0.id, $0.isOn) }) { first, _ in first }
    return controls.map { control in
      let name = CameraSettingName.allCases.first { DeviceSettings.controlID(of: $0) == control.id }
      guard let automatic = name?.automatic, isOn[DeviceSettings.controlID(of: automatic)] == true else {
        return control
      }
      var governed = control
      governed.access = .inactive
      return governed
    }
  }

  /// Whether an automatic mode is on.
  private var isOn: Bool {
    switch kind {
    case .boolean: value == 1
    // These two exposure modes set the exposure time automatically.
    case .menu: value == DeviceSettings.fullyAutomatic || value == DeviceSettings.aperturePriority
    case .integer: false
    }
  }
}
