// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Testing

/// Session behavior after a lost or changed camera.
@Suite struct CameraLossTests {
  /// Host details that must not reach the extension.
  private let detail = "/dev/video0: the camera was unplugged; darkroom (17) uses it"

  @Test
  func `reports an unplugged camera to the extension without dismissal and refuses a restart`() {
    var machine = SessionMachineTests.listening()
    _ = machine.commanded(.capture(CaptureEvent(.primary, .began)), now: 2)
    let actions = machine.cameraEnded(.unplugged, because: detail, now: 3)
    #expect(actions.contains(.send(.notification(.cameraEnded(CameraEndNotice(.unplugged))))))
    #expect(actions.contains(.log(.notice, detail)))
    #expect(actions.contains(.send(.notification(.captureEvent(CaptureEvent(.primary, .cancelled, id: 2))))))
    #expect(!machine.isEnding && !machine.receivesPresses)
    let again = machine.received(.request(id: .integer(9), .cameraStart(.latest)), now: 4)
    guard case .send(.reply(let reply)) = again.first, case .failure(let error) = reply.outcome else {
      Issue.record("the request should be answered with an error")
      return
    }
    #expect(error.knownCode == .cameraUnavailable && error.message == CameraEndNotice(.unplugged).message)
    #expect(machine.cameraChanged(.init(15)) == [])
  }

  @Test func `the watchdog does not require frames from an unplugged camera`() {
    var terms = SessionMachineTests.terms()
    terms.times.watchdog = 5_000_000_000
    for reason in [CameraEndNotice.Reason.unplugged, .finished] {
      var machine = SessionMachine(terms, launchedAt: 0)
      let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
      _ = machine.received(.reply(answer), now: 1)
      #expect(machine.isWatched)
      _ = machine.cameraEnded(reason, now: 2)
      #expect(machine.isWatched == (reason == .finished))
    }
  }

  @Test func `reports the end of a video file and allows starting the camera again`() {
    var machine = SessionMachineTests.listening()
    let told = machine.cameraEnded(now: 3)
    #expect(told.contains(.send(.notification(.cameraEnded(CameraEndNotice(.finished))))))
    let again = machine.received(.request(id: .integer(9), .cameraStart(.latest)), now: 4)
    #expect(again.first == .startCamera(.latest))
  }

  @Test func `reports a changed frame rate to the extension`() {
    let machine = SessionMachineTests.listening()
    let rate = ExtensionProtocol.FrameRate(15)
    #expect(machine.cameraChanged(rate) == [.send(.notification(.cameraChanged(.init(frameRate: rate))))])
  }

  @Test func `accepts camera settings only while the camera is running`() {
    let settingRequest = CameraSettingRequest(name: "zoom", value: 200)
    func requestSetting(_ machine: inout SessionMachine) -> [SessionAction] {
      machine.received(.request(id: .integer(9), .cameraSet(settingRequest)), now: 3)
    }
    var running = SessionMachineTests.listening()
    #expect(requestSetting(&running) == [.adjustCamera(.set(settingRequest), .integer(9))])
    #expect(
      running.received(.request(id: .integer(9), .cameraSettings), now: 3)
        == [.adjustCamera(.readSettings, .integer(9))]
    )
    func refusal(_ sentence: String) -> [SessionAction] {
      [.send(.reply(Reply(id: .integer(9), error: .cameraUnavailable, sentence)))]
    }
    let early = "camera settings can be changed only while the camera runs; send camera/start first"
    var idle = SessionMachineTests.running()
    #expect(requestSetting(&idle) == refusal(early))
    _ = running.received(.request(id: .integer(4), .cameraStop), now: 3)
    #expect(requestSetting(&running) == refusal(early))
    var gone = SessionMachineTests.listening()
    _ = gone.cameraEnded(.unplugged, now: 3)
    #expect(requestSetting(&gone) == refusal(CameraEndNotice(.unplugged).message))
    var denied = SessionMachineTests.listening()
    var permissions = denied.permissions
    permissions.camera = .denied
    _ = denied.permissionsChanged(permissions, now: 3)
    #expect(requestSetting(&denied) == refusal(early))
  }
}
