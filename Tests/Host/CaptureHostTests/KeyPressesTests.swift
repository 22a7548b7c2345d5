// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import KeyInput
import SessionServices
import Testing

@Suite struct KeyPressesTests {
  /// Returns a key of the first device.
  private func deviceKey(_ code: InputCode) -> DeviceKey { DeviceKey(device: 1, code: code) }

  /// Returns the commands for the press, repetition and release of a key if the extension listens.
  private func keystrokeCommands(_ code: InputCode) -> [SessionCommand] {
    var presses = KeyPresses()
    presses.listen(true)
    return presses.commands(for: .down(deviceKey(code), time: 1))
      + presses.commands(for: .repeated(deviceKey(code)))
      + presses.commands(for: .up(deviceKey(code), time: 2))
  }

  /// Returns the commands for the press and release of a button.
  private func press(_ button: CaptureButton, _ source: CaptureSource) -> [SessionCommand] {
    [
      .capture(CaptureEvent(button, .began, from: source)),
      .capture(CaptureEvent(button, .ended, from: source)),
    ]
  }

  @Test
  func `maps the camera and volume keys to buttons and ignores key repetition`() {
    for code in [InputCode.camera, .volumeDown] {
      #expect(keystrokeCommands(code) == press(.primary, .button))
    }
    #expect(keystrokeCommands(.volumeUp) == press(.secondary, .button))
  }

  @Test func `maps headset buttons to remote primary presses`() {
    for code in [InputCode.playPause, .play, .pause, .nextSong] {
      #expect(keystrokeCommands(code) == press(.primary, .remote))
    }
  }

  @Test func `half-pressing the shutter shows the controls until release and the zoom keys adjust one`() {
    #expect(
      keystrokeCommands(.cameraFocus) == [.cameraControl(.show(.active)), .cameraControl(.show(.inactive))]
    )
    let more = SessionCommand.cameraControl(.step(nil, steps: 1))
    #expect(keystrokeCommands(.zoomIn) == [more, more])
    #expect(keystrokeCommands(.zoomOut).first == .cameraControl(.step(nil, steps: -1)))
    #expect(keystrokeCommands(.power) == [.power])
    #expect(keystrokeCommands(.letter) == [])
  }

  @Test func `cancels a press if its device is unplugged`() {
    var presses = KeyPresses()
    presses.listen(true)
    _ = presses.commands(for: .down(deviceKey(.playPause), time: 1))
    let cancelled = CaptureEvent(.primary, .cancelled, from: .remote)
    #expect(presses.commands(for: .lost(deviceKey(.playPause))) == [.capture(cancelled)])
    #expect(presses.commands(for: .up(deviceKey(.playPause), time: 2)) == [])
  }

  @Test func `a button with two keys is held by the key that was pressed first`() {
    var presses = KeyPresses()
    presses.listen(true)
    let (first, second) = (deviceKey(.camera), DeviceKey(device: 2, code: .volumeDown))
    #expect(presses.commands(for: .down(first, time: 1)) == [press(.primary, .button)[0]])
    #expect(presses.commands(for: .down(second, time: 2)) == [])
    #expect(presses.commands(for: .lost(second)) == [])
    #expect(presses.commands(for: .up(first, time: 3)) == [press(.primary, .button)[1]])
  }

  @Test func `does not report the release of a press that was not reported or was cancelled`() {
    var presses = KeyPresses()
    #expect(presses.commands(for: .down(deviceKey(.camera), time: 1)) == [press(.primary, .button)[0]])
    presses.listen(true)
    #expect(presses.commands(for: .up(deviceKey(.camera), time: 2)) == [])
    _ = presses.commands(for: .down(deviceKey(.camera), time: 3))
    presses.listen(false)
    presses.listen(true)
    #expect(presses.commands(for: .up(deviceKey(.camera), time: 4)) == [])
  }

  @Test func `a key press counts as an interaction and keys are delivered only to a listening extension`()
    throws
  {
    var machine = SessionMachineTests.running(camera: nil)
    #expect(!machine.receivesPresses)
    _ = machine.received(.request(id: .integer(2), .captureSubscribe()), now: 2)
    #expect(machine.receivesPresses)
    var presses = KeyPresses()
    presses.listen(true)
    let activity = UserActivity(activityType: "org.example.edit")
    let opening = ExtensionMessage.request(id: .integer(3), .sessionOpenApplication(activity))
    var untouched = machine
    #expect(untouched.received(opening, now: 4) != [.checkApplication])
    for command in presses.commands(for: .down(deviceKey(.camera), time: 3)) {
      _ = machine.commanded(command, now: 3)
    }
    #expect(machine.received(opening, now: 4) == [.checkApplication])
    _ = machine.commanded(.dismiss, now: 5)
    #expect(!machine.receivesPresses)
  }
}
