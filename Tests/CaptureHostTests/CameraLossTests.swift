// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Testing

/// What a session makes of a camera that goes, or goes on otherwise.
@Suite struct CameraLossTests {
  private let unplugged = CameraEnding(.unplugged, "the camera is gone")

  @Test
  func `an extension hears that its camera is gone, may not start it again, and is not dismissed for it`() {
    var machine = SessionMachineTests.listening()
    _ = machine.commanded(.capture(CaptureEvent(.primary, .began)), now: 2)
    let actions = machine.cameraEnded(unplugged, now: 3)
    #expect(actions.contains(.send(.notification(.cameraEnded(unplugged)))))
    #expect(actions.contains(.send(.notification(.captureEvent(CaptureEvent(.primary, .cancelled, id: 2))))))
    #expect(!machine.isEnding && !machine.hearsPresses)
    let again = machine.received(.request(id: .integer(9), .cameraStart(.latest)), now: 4)
    guard case .send(.reply(let reply)) = again.first, case .failure(let error) = reply.outcome else {
      Issue.record("the request should be answered with an error")
      return
    }
    #expect(error.knownCode == .cameraUnavailable && error.message == "the camera is gone")
    #expect(machine.cameraChanged(.init(15)) == [])
  }

  @Test func `a watchdog does not wait for frames of a camera that is gone`() {
    var terms = SessionMachineTests.terms()
    terms.watchdog = 5_000_000_000
    for ending in [unplugged, SessionMachine.filmIsOver] {
      var machine = SessionMachine(terms, launchedAt: 0)
      let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
      _ = machine.received(.reply(answer), now: 1)
      #expect(machine.isWatched)
      _ = machine.cameraEnded(ending, now: 2)
      #expect(machine.isWatched == (ending.reason == .finished))
    }
  }

  @Test func `the end of a film is told, and a film can be started again`() {
    var machine = SessionMachineTests.listening()
    let told = machine.cameraEnded(now: 3)
    #expect(told.contains(.send(.notification(.cameraEnded(SessionMachine.filmIsOver)))))
    let again = machine.received(.request(id: .integer(9), .cameraStart(.latest)), now: 4)
    #expect(again.first == .startCamera(.latest))
  }

  @Test func `another rate is told`() {
    let machine = SessionMachineTests.listening()
    let rate = ExtensionProtocol.FrameRate(15)
    #expect(machine.cameraChanged(rate) == [.send(.notification(.cameraChanged(.init(frameRate: rate))))])
  }
}
