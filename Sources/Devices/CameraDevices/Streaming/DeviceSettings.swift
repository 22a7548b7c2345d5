// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives

/// The settings of a device, with names that do not depend on its driver.
///
/// Only controls that affect the image are included. Excluded are the privacy shutter (`V4L2_CID_PRIVACY`),
/// indicator lights, and controls that are private to a driver.
package final class DeviceSettings: CameraSettings {
  package let location: CameraLocation?
  private let device: any ControllableDevice
  /// The last known automatic mode of the exposure control.
  private var automaticExposure: Int?

  /// Creates the settings of a device that no other thread uses.
  package init(_ device: sending any ControllableDevice, at place: CameraLocation? = nil) {
    self.device = device
    self.location = place
  }

  package func allSettings() -> [CameraSetting] {
    let controls = device.controls(withIDs: CameraSettingName.allCases.map(Self.controlID))
    return CameraSettingName.allCases.compactMap { name in
      controls.first { $0.id == Self.controlID(of: name) }.flatMap { setting(name, $0) }
    }
  }

  package func setting(_ name: CameraSettingName) -> CameraSetting? {
    device.control(Self.controlID(of: name)).flatMap { setting(name, $0) }
  }

  package func deviceValue(_ name: CameraSettingName) -> Int? {
    device.control(Self.controlID(of: name))?.value
  }

  package func restore(_ name: CameraSettingName, to inner: Int) throws(SystemCallError) {
    try device.set(Self.controlID(of: name), to: inner)
  }

  /// Returns a control as a setting, or `nil` if it has another kind or its value cannot be read.
  private func setting(_ name: CameraSettingName, _ control: DeviceControl) -> CameraSetting? {
    guard control.kind == Self.kind(of: name), control.access != .readOnly, let value = control.value,
      control.minimum <= control.maximum
    else {
      return nil
    }
    if name == .exposureBias { return menuSetting(name, control) }
    if name == .torch { return torchSetting(control, value) }
    guard name == .automaticExposure else {
      return CameraSetting(
        name,
        from: control.minimum,
        to: control.maximum,
        step: max(1, control.step),
        standard: control.standard,
        value: value,
        isAdjustable: control.access == .adjustable
      )
    }
    if value != Self.manualExposure { automaticExposure = value }
    return CameraSetting(
      name,
      from: 0,
      to: 1,
      standard: control.standard == Self.manualExposure ? 0 : 1,
      value: value == Self.manualExposure ? 0 : 1,
      isAdjustable: control.access == .adjustable
    )
  }

  /// Returns the mode of a light as a setting, or `nil` if the light has no torch.
  private func torchSetting(_ control: DeviceControl, _ value: Int) -> CameraSetting? {
    guard (control.minimum...control.maximum).contains(Self.torchMode) else { return nil }
    func isTorch(_ mode: Int) -> Int { mode == Self.torchMode ? 1 : 0 }
    return CameraSetting(
      .torch,
      from: 0,
      to: 1,
      standard: isTorch(control.standard),
      value: isTorch(value),
      isAdjustable: control.access == .adjustable
    )
  }

  /// Returns an integer menu as a setting, or `nil` if the current value is not in the menu.
  private func menuSetting(_ name: CameraSettingName, _ control: DeviceControl) -> CameraSetting? {
    func number(_ index: Int?) -> Int? { control.entries.first { $0.index == index }?.value }
    let values = Set(control.entries.map(\.value)).sorted()
    guard let value = number(control.value), let least = values.first, let greatest = values.last else {
      return nil
    }
    return CameraSetting(
      name,
      from: least,
      to: greatest,
      standard: number(control.standard) ?? value,
      value: value,
      isAdjustable: control.access == .adjustable,
      values: values
    )
  }

  package func set(_ name: CameraSettingName, to value: Int) throws(SystemCallError) -> Int {
    if name == .automaticExposure {
      try setExposure(isAutomatic: value == 1)
    } else if name == .torch {
      try device.set(Self.controlID(of: name), to: value == 1 ? Self.torchMode : Self.noLight)
    } else if name == .exposureBias {
      let number = Self.controlID(of: name)
      let entry = device.control(number)?.entries.first { $0.value == value }
      guard let entry else { throw SystemCallError("ioctl", errno: .invalidArgument) }
      try device.set(number, to: entry.index)
    } else {
      try device.set(Self.controlID(of: name), to: value)
    }
    // A driver may round the value, and reports that only when the control is read.
    return setting(name)?.value ?? value
  }

  /// Switches automatic exposure on or off. A camera supports only some of the automatic modes.
  private func setExposure(isAutomatic: Bool) throws(SystemCallError) {
    let number = Self.controlID(of: .automaticExposure)
    guard isAutomatic else { return try device.set(number, to: Self.manualExposure) }
    let ways = [automaticExposure, Self.aperturePriority, Self.fullyAutomatic].compactMap(\.self)
    for way in ways.dropLast() where (try? device.set(number, to: way)) != nil { return }
    try device.set(number, to: Self.fullyAutomatic)
  }

  /// `V4L2_EXPOSURE_AUTO`.
  static let fullyAutomatic = 0
  /// `V4L2_EXPOSURE_MANUAL`.
  private static let manualExposure = 1
  /// `V4L2_EXPOSURE_APERTURE_PRIORITY`, the automatic mode of webcams.
  static let aperturePriority = 3
  /// `V4L2_FLASH_LED_MODE_NONE`.
  private static let noLight = 0
  /// `V4L2_FLASH_LED_MODE_TORCH`.
  private static let torchMode = 2

  /// Returns the kind of a setting's control.
  private static func kind(of name: CameraSettingName) -> DeviceControl.Kind {
    switch name {
    case .automaticExposure, .exposureBias, .torch: .menu
    case .automaticFocus, .automaticGain, .automaticWhiteBalance: .boolean
    default: .integer
    }
  }

  /// Returns the control ID of a setting (linux/v4l2-controls.h). User controls start at 0x980900, camera
  /// controls at 0x9a0900, and controls of flashes at 0x9c0900.
  static func controlID(of name: CameraSettingName) -> UInt32 {
    switch name {
    case .brightness: 0x98_0900
    case .contrast: 0x98_0901
    case .saturation: 0x98_0902
    case .hue: 0x98_0903
    case .automaticWhiteBalance: 0x98_090c
    case .gamma: 0x98_0910
    case .automaticGain: 0x98_0912
    case .gain: 0x98_0913
    case .whiteBalance: 0x98_091a
    case .sharpness: 0x98_091b
    case .backlightCompensation: 0x98_091c
    case .automaticExposure: 0x9a_0901
    case .exposure: 0x9a_0902
    case .pan: 0x9a_0908
    case .tilt: 0x9a_0909
    case .focus: 0x9a_090a
    case .automaticFocus: 0x9a_090c
    case .zoom: 0x9a_090d
    case .exposureBias: 0x9a_0913
    case .torch: 0x9c_0901
    case .torchLevel: 0x9c_0908
    }
  }
}
