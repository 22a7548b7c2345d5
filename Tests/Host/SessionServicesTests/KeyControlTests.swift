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
  private var queue: [KeyDeviceReading] = []
  private(set) var isGrabbed = false

  init() throws { counter = try EventCounter.make() }

  var descriptor: Int32 { counter.rawValue }
  var name: String { "queued" }
  func has(_ code: InputCode) -> Bool { code != .letter }
  func next() -> KeyDeviceReading { queue.isEmpty ? .nothing : queue.removeFirst() }
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
    let desk = try KeyDesk(
      .named(["/dev/input/queued"]),
      seeking: KeyMeaning.sought,
      wanted: KeyControl.wanted
    ) {
      _ throws(KeyInputError) in device
    }
    control = KeyControl(desk) { _ in }
  }

  @Test func `the devices are the session's alone while the extension hears presses`() {
    #expect(!device.isGrabbed)
    control.listen(true)
    #expect(device.isGrabbed)
    device.change(.volumeDown, 1)
    #expect(control.commands(at: 0) == [.capture(CaptureEvent(.primary, .began))])
    control.listen(false)
    #expect(!device.isGrabbed)
    device.change(.volumeDown, 0)
    #expect(control.commands(at: 0) == [])
  }

  @Test func `the power key ends the session only where the system does not hear it`() {
    device.change(.power, 1)
    #expect(control.commands(at: 0) == [])
    device.change(.power, 0)
    control.listen(true)
    device.change(.power, 1)
    #expect(control.commands(at: 0) == [.power])
  }
}
