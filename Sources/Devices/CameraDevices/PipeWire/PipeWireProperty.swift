// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import ExtensionProtocol

extension darkroom_pipewire_property {
  /// How many whole numbers there are for 1: those with fractions are counted in hundredths.
  fileprivate var scale: Double { kind == .fraction ? 100 : 1 }

  /// A value of a control as the node has it.
  func number(_ value: Int) -> Double { Double(value) / scale }

  /// A value of the node as a control has it; nil: it is no number.
  fileprivate func value(_ number: Double) -> Int? {
    let scaled = number * scale
    guard scaled.isFinite else { return nil }
    return Int(min(max(scaled, Double(Int32.min)), Double(Int32.max)).rounded())
  }
}

extension DeviceControl {
  /// Takes over what a node says of a property; nil: it says nothing that can be used.
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
      value: property.is_told ? property.value(property.value) : nil
    )
  }

  /// Whether two numbers of a node are the same to it: those with fractions are kept with fewer digits than here.
  static func isSame(_ one: Double, _ other: Double) -> Bool { Float(one) == Float(other) }

  /// The same controls, of which those cannot be set now that an automatic sets: PipeWire does not pass that on.
  package static func governed(_ controls: [DeviceControl]) -> [DeviceControl] {
    let isOn = Dictionary(controls.map { ($0.id, $0.isOn) }) { first, _ in first }
    return controls.map { control in
      let name = CameraSettingName.allCases.first { DeviceSettings.number(of: $0) == control.id }
      guard let automatic = name?.automatic, isOn[DeviceSettings.number(of: automatic)] == true else {
        return control
      }
      var governed = control
      governed.access = .inactive
      return governed
    }
  }

  /// Whether an automatic is on.
  private var isOn: Bool {
    switch kind {
    case .boolean: value == 1
    // Of the ways to expose these two set the time.
    case .menu: value == DeviceSettings.wholeAutomatic || value == DeviceSettings.aperturePriority
    case .integer: false
    }
  }
}
