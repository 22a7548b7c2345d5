// SPDX-License-Identifier: Apache-2.0

import CameraDevices
import ExtensionProtocol
import LinuxPrimitives
import Testing

/// The driver controls that an extension may set.
@Suite struct DeviceSettingsTests {
  /// Creates a driver control.
  private static func control(
    _ id: UInt32,
    _ kind: DeviceControl.Kind = .integer,
    to maximum: Int = 255,
    step: Int = 1,
    value: Int? = 0,
    access: DeviceControl.Access = .adjustable
  ) -> DeviceControl {
    DeviceControl(
      id: id,
      title: "A Title of the Driver",
      kind: kind,
      from: 0,
      to: maximum,
      step: step,
      standard: 0,
      value: value,
      access: access
    )
  }

  /// Returns the settings of a scripted device with these controls, and the device itself for inspection.
  private func settings(_ controls: DeviceControl...) throws -> (DeviceSettings, ScriptedDevice) {
    let device = try ScriptedDevice()
    device.deviceControls = controls
    return (DeviceSettings(transferred(device)), device)
  }

  /// Returns the device as a `sending` value. It is safe because one thread uses both references.
  private func transferred(_ device: ScriptedDevice) -> sending any ControllableDevice {
    nonisolated(unsafe) let transferred: any ControllableDevice = device
    return transferred
  }

  @Test func `names settings by V4L2 control IDs, and marks automatically controlled ones as not adjustable`()
    throws
  {
    let (settings, _) = try settings(
      Self.control(0x9a_090d, to: 500, step: 10, value: 100),
      Self.control(0x9a_090a, value: 40, access: .inactive),
      Self.control(0x9a_090c, .boolean, to: 1, value: 1)
    )
    #expect(
      settings.allSettings() == [
        CameraSetting(.zoom, from: 0, to: 500, step: 10, standard: 0, value: 100),
        CameraSetting(.focus, from: 0, to: 255, standard: 0, value: 40, isAdjustable: false),
        CameraSetting(.automaticFocus, from: 0, to: 1, standard: 0, value: 1),
      ]
    )
    #expect(try settings.set(.zoom, to: 217) == 210)
  }

  @Test func `excludes lamps, shutters, vendor controls, controls of other types and unreadable controls`()
    throws
  {
    let (settings, device) = try settings(
      // V4L2_CID_PRIVACY, V4L2_CID_FLASH_INDICATOR_INTENSITY, a lamp of a webcam, a vendor control
      Self.control(0x9a_0910, .boolean, to: 1),
      Self.control(0x9c_0909),
      Self.control(0x0a04_6d05),
      Self.control(0x98_1000),
      Self.control(0x98_0900, .menu),
      Self.control(0x98_0901, value: nil),
      Self.control(0x98_0902, access: .readOnly)
    )
    #expect(settings.allSettings() == [])
    for name in CameraSettingName.allCases {
      _ = try? settings.set(name, to: name == .automaticExposure ? 0 : 1)
    }
    let reached = device.deviceControls.filter { ![0, nil].contains($0.value) }.map(\.id)
    #expect(reached.allSatisfy { (0x98_0900...0x98_0902).contains($0) })
  }

  @Test(arguments: [([1, 3], 3), ([0, 1], 0), ([0, 1, 2], 2)])
  func `turns on automatic exposure with an exposure mode that the camera supports`(modes: [Int], value: Int)
    throws
  {
    let (settings, device) = try settings(Self.control(0x9a_0901, .menu, to: 3, value: value))
    device.refusedValues = Set(0...3).subtracting(modes)
    #expect(settings.allSettings().first?.value == 1)
    #expect(try settings.set(.automaticExposure, to: 0) == 0)
    #expect(device.deviceControls[0].value == 1)
    #expect(try settings.set(.automaticExposure, to: 1) == 1)
    #expect(device.deviceControls[0].value == value)
    // New settings infer the automatic mode from the current value of the camera.
    let (other, same) = try self.settings(device.deviceControls[0])
    let before = try #require(other.deviceValue(.automaticExposure))
    #expect(before == value)
    _ = try other.set(.automaticExposure, to: 0)
    try other.restore(.automaticExposure, to: before)
    #expect(same.deviceControls[0].value == value)
  }

  @Test func `identifies entries of an integer menu by their values`() throws {
    var bias = Self.control(0x9a_0913, .menu, to: 4, value: 2)
    // The driver leaves out entry 3.
    bias.entries = [.init(0, -2000), .init(1, -700), .init(2, 0), .init(4, 2000)]
    bias.standard = 2
    let (settings, device) = try settings(bias)
    let values = [-2000, -700, 0, 2000]
    let expected = CameraSetting(.exposureBias, from: -2000, to: 2000, standard: 0, value: 0, values: values)
    #expect(settings.allSettings() == [expected])
    #expect(expected.accepts(-700) && !expected.accepts(-699) && !expected.accepts(3))
    #expect(expected.rangeText == "-2000 to 2000, one of -2000, -700, 0, 2000")
    let before = try #require(settings.deviceValue(.exposureBias))
    #expect(try settings.set(.exposureBias, to: 2000) == 2000)
    #expect(device.deviceControls[0].value == 4)
    try settings.restore(.exposureBias, to: before)
    #expect(device.deviceControls[0].value == 2)
    let error = #expect(throws: SystemCallError.self) { try settings.set(.exposureBias, to: 1) }
    #expect(error?.errno == .invalidArgument)
    // A menu whose entries have no numbers is not a setting.
    let (without, _) = try self.settings(Self.control(0x9a_0913, .menu, to: 4, value: 2))
    #expect(without.allSettings() == [])
  }

  @Test func `lights the torch with the mode of the light, and restores the previous mode`() throws {
    // V4L2_CID_FLASH_LED_MODE in the mode V4L2_FLASH_LED_MODE_FLASH, V4L2_CID_FLASH_TORCH_INTENSITY
    let controls = [
      Self.control(0x9c_0901, .menu, to: 2, value: 1), Self.control(0x9c_0908, to: 90, step: 10, value: 30),
    ]
    let (settings, device) = try settings(controls[0], controls[1])
    #expect(
      settings.allSettings() == [
        CameraSetting(.torch, from: 0, to: 1, standard: 0, value: 0),
        CameraSetting(.torchLevel, from: 0, to: 90, step: 10, standard: 0, value: 30),
      ]
    )
    let before = try #require(settings.deviceValue(.torch))
    #expect(try settings.set(.torchLevel, to: 50) == 50 && settings.set(.torch, to: 1) == 1)
    // V4L2_FLASH_LED_MODE_TORCH
    #expect(device.deviceControls.map(\.value) == [2, 50])
    #expect(try settings.set(.torch, to: 0) == 0)
    #expect(device.deviceControls[0].value == 0)
    try settings.restore(.torch, to: before)
    #expect(device.deviceControls[0].value == 1)
  }

  @Test func `has no torch if the light has only the mode of a flash, or if its mode is read-only`() throws {
    let (flash, _) = try settings(Self.control(0x9c_0901, .menu, to: 1))
    #expect(flash.allSettings() == [])
    let (indicator, _) = try settings(Self.control(0x9c_0901, .menu, to: 2, access: .readOnly))
    #expect(indicator.allSettings() == [])
  }

  @Test func `reports an error if the driver refuses a setting`() throws {
    let (settings, device) = try settings(Self.control(0x9a_090d))
    device.failures = ["set": .inputOutput]
    let error = #expect(throws: SystemCallError.self) { try settings.set(.zoom, to: 3) }
    #expect(error?.errno == .inputOutput)
  }

  @Test(arguments: [(0, false), (1, true), (2, true), (3, false)])
  func `infers adjustability from the exposure mode if the driver does not report it`(
    mode: Int,
    isAdjustable: Bool
  ) throws {
    let controls = DeviceControl.disablingAutomaticControls([
      Self.control(0x9a_0901, .menu, to: 3, value: mode),
      Self.control(0x9a_0902, value: 40),
      Self.control(0x98_0913, value: 7),
    ])
    #expect(controls.map(\.access) == [.adjustable, isAdjustable ? .adjustable : .inactive, .adjustable])
  }
}
