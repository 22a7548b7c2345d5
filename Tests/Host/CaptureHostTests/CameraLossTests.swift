// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Testing

/// Session behavior after a lost or changed camera.
@Suite struct CameraLossTests {
  /// Host details that must not reach the extension.
  private let detail = "/dev/video0: the camera is gone; darkroom (17) has it"

  @Test
  func `an extension hears that its camera is gone, may not start it again, and is not dismissed for it`() {
    var machine = SessionMachineTests.listening()
    _ = machine.commanded(.capture(CaptureEvent(.primary, .began)), now: 2)
    let actions = machine.cameraEnded(.unplugged, because: detail, now: 3)
    #expect(actions.contains(.send(.notification(.cameraEnded(CameraEnding(.unplugged))))))
    #expect(actions.contains(.log(.notice, detail)))
    #expect(actions.contains(.send(.notification(.captureEvent(CaptureEvent(.primary, .cancelled, id: 2))))))
    #expect(!machine.isEnding && !machine.hearsPresses)
    let again = machine.received(.request(id: .integer(9), .cameraStart(.latest)), now: 4)
    guard case .send(.reply(let reply)) = again.first, case .failure(let error) = reply.outcome else {
      Issue.record("the request should be answered with an error")
      return
    }
    #expect(error.knownCode == .cameraUnavailable && error.message == CameraEnding(.unplugged).message)
    #expect(machine.cameraChanged(.init(15)) == [])
  }

  @Test func `a watchdog does not wait for frames of a camera that is gone`() {
    var terms = SessionMachineTests.terms()
    terms.watchdog = 5_000_000_000
    for reason in [CameraEnding.Reason.unplugged, .finished] {
      var machine = SessionMachine(terms, launchedAt: 0)
      let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
      _ = machine.received(.reply(answer), now: 1)
      #expect(machine.isWatched)
      _ = machine.cameraEnded(reason, now: 2)
      #expect(machine.isWatched == (reason == .finished))
    }
  }

  @Test func `the end of a film is told, and a film can be started again`() {
    var machine = SessionMachineTests.listening()
    let told = machine.cameraEnded(now: 3)
    #expect(told.contains(.send(.notification(.cameraEnded(CameraEnding(.finished))))))
    let again = machine.received(.request(id: .integer(9), .cameraStart(.latest)), now: 4)
    #expect(again.first == .startCamera(.latest))
  }

  @Test func `another rate is told`() {
    let machine = SessionMachineTests.listening()
    let rate = ExtensionProtocol.FrameRate(15)
    #expect(machine.cameraChanged(rate) == [.send(.notification(.cameraChanged(.init(frameRate: rate))))])
  }

  @Test func `a camera is set only while it runs`() {
    let wish = CameraSettingWish(name: "zoom", value: 200)
    func asked(_ machine: inout SessionMachine) -> [SessionAction] {
      machine.received(.request(id: .integer(9), .cameraSet(wish)), now: 3)
    }
    var running = SessionMachineTests.listening()
    #expect(asked(&running) == [.adjustCamera(.set(wish), .integer(9))])
    #expect(
      running.received(.request(id: .integer(9), .cameraSettings), now: 3)
        == [.adjustCamera(.look, .integer(9))]
    )
    func refused(_ sentence: String) -> [SessionAction] {
      [.send(.reply(Reply(id: .integer(9), error: .cameraUnavailable, sentence)))]
    }
    let early = "the camera can be set only while it runs; send camera/start first"
    var resting = SessionMachineTests.running()
    #expect(asked(&resting) == refused(early))
    _ = running.received(.request(id: .integer(4), .cameraStop), now: 3)
    #expect(asked(&running) == refused(early))
    var gone = SessionMachineTests.listening()
    _ = gone.cameraEnded(.unplugged, now: 3)
    #expect(asked(&gone) == refused(CameraEnding(.unplugged).message))
    var denied = SessionMachineTests.listening()
    var permissions = denied.permissions
    permissions.camera = .denied
    _ = denied.permissionsChanged(permissions, now: 3)
    #expect(asked(&denied) == refused(early))
  }
}
