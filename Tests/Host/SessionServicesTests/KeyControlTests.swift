// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import KeyInput
import LinuxPrimitives
import SessionServices
import Testing

/// A device whose events come from a queue.
private final class QueuedDevice: KeyDevice {
  private let counter: Descriptor
  private var queue: [KeyDeviceEvent] = []
  private(set) var isGrabbed = false

  init() throws { counter = try EventCounter.make() }

  var descriptor: Int32 { counter.rawValue }
  var name: String { "queued" }
  func has(_ code: InputCode) -> Bool { code != .letter }
  func next() -> KeyDeviceEvent { queue.isEmpty ? .nothing : queue.removeFirst() }
  func value(of code: InputCode) -> Int32 { 0 }
  func setGrabbed(_ isGrabbed: Bool) { self.isGrabbed = isGrabbed }

  /// Queues a change of a key.
  func change(_ code: InputCode, _ value: Int32) { queue += [.value(code, value, time: 1), .end(.driver)] }
}

@Suite struct KeyControlTests {
  private let device: QueuedDevice
  private let control: KeyControl

  init() throws {
    let device = try QueuedDevice()
    self.device = device
    let desk = try KeyInputService(
      .named(["/dev/input/queued"]),
      requiring: KeyFunction.requiredKeys,
      wanted: KeyControl.inputCodes
    ) {
      _ throws(KeyInputError) in device
    }
    control = KeyControl(desk) { _ in }
  }

  @Test func `grabs the input devices only while the extension listens for presses`() {
    #expect(!device.isGrabbed)
    control.setReceivingPresses(true)
    #expect(device.isGrabbed)
    device.change(.volumeDown, 1)
    #expect(control.commands(at: 0) == [.capture(CaptureEvent(.primary, .began))])
    control.setReceivingPresses(false)
    #expect(!device.isGrabbed)
    device.change(.volumeDown, 0)
    #expect(control.commands(at: 0) == [])
  }

  @Test func `the power key dismisses the session only while the device is grabbed`() {
    device.change(.power, 1)
    #expect(control.commands(at: 0) == [])
    device.change(.power, 0)
    control.setReceivingPresses(true)
    device.change(.power, 1)
    #expect(control.commands(at: 0) == [.power])
  }
}
