// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import KeyInput
import SessionServices
import Testing

@Suite struct KeyPressesTests {
  /// Returns a key of the first device.
  private func place(_ code: InputCode) -> KeyPlace { KeyPlace(device: 1, code: code) }

  /// Returns the commands for the press, repetition and release of a key if the extension listens.
  private func stroke(_ code: InputCode) -> [SessionCommand] {
    var presses = KeyPresses()
    presses.listen(true)
    return presses.commands(for: .down(place(code), time: 1)) + presses.commands(for: .repeated(place(code)))
      + presses.commands(for: .up(place(code), time: 2))
  }

  /// Returns the commands for the press and release of a button.
  private func press(_ button: CaptureButton, _ source: CaptureSource) -> [SessionCommand] {
    [
      .capture(CaptureEvent(button, .began, from: source)),
      .capture(CaptureEvent(button, .ended, from: source)),
    ]
  }

  @Test
  func `the camera key and volume down are primary, volume up is secondary, and a repetition is nothing`() {
    for code in [InputCode.camera, .volumeDown] { #expect(stroke(code) == press(.primary, .button)) }
    #expect(stroke(.volumeUp) == press(.secondary, .button))
  }

  @Test func `the buttons of a headset are remote primary presses`() {
    for code in [InputCode.playPause, .play, .pause, .nextSong] {
      #expect(stroke(code) == press(.primary, .remote))
    }
  }

  @Test func `a light press shows the camera controls while it lasts, and the zoom keys turn one`() {
    #expect(stroke(.cameraFocus) == [.cameraControl(.show(.active)), .cameraControl(.show(.inactive))])
    let more = SessionCommand.cameraControl(.turn(nil, steps: 1))
    #expect(stroke(.zoomIn) == [more, more])
    #expect(stroke(.zoomOut).first == .cameraControl(.turn(nil, steps: -1)))
    #expect(stroke(.power) == [.power])
    #expect(stroke(.letter) == [])
  }

  @Test func `a press whose device is unplugged is cancelled`() {
    var presses = KeyPresses()
    presses.listen(true)
    _ = presses.commands(for: .down(place(.playPause), time: 1))
    let cancelled = CaptureEvent(.primary, .cancelled, from: .remote)
    #expect(presses.commands(for: .lost(place(.playPause))) == [.capture(cancelled)])
    #expect(presses.commands(for: .up(place(.playPause), time: 2)) == [])
  }

  @Test func `a button that two keys stand for is held by the first of them`() {
    var presses = KeyPresses()
    presses.listen(true)
    let (first, second) = (place(.camera), KeyPlace(device: 2, code: .volumeDown))
    #expect(presses.commands(for: .down(first, time: 1)) == [press(.primary, .button)[0]])
    #expect(presses.commands(for: .down(second, time: 2)) == [])
    #expect(presses.commands(for: .lost(second)) == [])
    #expect(presses.commands(for: .up(first, time: 3)) == [press(.primary, .button)[1]])
  }

  @Test func `the release of a press that nobody heard, or that was cancelled since, is not told`() {
    var presses = KeyPresses()
    #expect(presses.commands(for: .down(place(.camera), time: 1)) == [press(.primary, .button)[0]])
    presses.listen(true)
    #expect(presses.commands(for: .up(place(.camera), time: 2)) == [])
    _ = presses.commands(for: .down(place(.camera), time: 3))
    presses.listen(false)
    presses.listen(true)
    #expect(presses.commands(for: .up(place(.camera), time: 4)) == [])
  }

  @Test func `a press of a key is an interaction, and keys are heard only while the extension listens`()
    throws
  {
    var machine = SessionMachineTests.running(camera: nil)
    #expect(!machine.hearsPresses)
    _ = machine.received(.request(id: .integer(2), .captureSubscribe()), now: 2)
    #expect(machine.hearsPresses)
    var presses = KeyPresses()
    presses.listen(true)
    let activity = UserActivity(activityType: "org.example.edit")
    let opening = ExtensionMessage.request(id: .integer(3), .sessionOpenApplication(activity))
    var untouched = machine
    #expect(untouched.received(opening, now: 4) != [.checkApplication])
    for command in presses.commands(for: .down(place(.camera), time: 3)) {
      _ = machine.commanded(command, now: 3)
    }
    #expect(machine.received(opening, now: 4) == [.checkApplication])
    _ = machine.commanded(.dismiss, now: 5)
    #expect(!machine.hearsPresses)
  }
}
