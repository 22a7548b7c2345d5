// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Testing

@Suite struct SessionSoundTests {
  private static let second = SessionMachineTests.second

  /// Returns a machine whose extension is subscribed, with or without the default sound.
  private static func listening(isSoundDisabled: Bool) -> SessionMachine {
    var machine = SessionMachineTests.listening()
    let again = ExtensionRequest.captureSubscribe(defaultSoundDisabled: isSoundDisabled)
    _ = machine.received(.request(id: .integer(3), again), now: 1)
    return machine
  }

  /// Sends a shutter event to the machine.
  private static func changeShutter(
    _ machine: inout SessionMachine,
    _ phase: CapturePhase,
    _ source: CaptureSource = .remote,
    at time: UInt64 = 2
  ) -> [SessionAction] {
    machine.commanded(.capture(CaptureEvent(.primary, phase, from: source)), now: time)
  }

  /// Whether the machine accepts a request to play a sound.
  private static func plays(_ machine: inout SessionMachine, event: Int, at time: UInt64 = 3) -> Bool {
    let request = SoundRequest(event: event, .file("click.wav"))
    let actions = machine.received(.request(id: .integer(9), .capturePlaySound(request)), now: time)
    if actions == [.playSound(request, .integer(9))] { return true }
    let refusal = Reply(id: .integer(9), result: SoundResult(played: false))
    #expect(actions == [.send(.reply(refusal))])
    return false
  }

  @Test func `plays the default sound for a remote press and refuses another sound`() {
    var machine = Self.listening(isSoundDisabled: false)
    let told = CaptureEvent(.primary, .began, from: .remote, id: 1)
    #expect(
      Self.changeShutter(&machine, .began) == [
        .send(.notification(.captureEvent(told))),
        .playSound(SoundRequest(event: 1, .standard(.cameraShutter)), nil),
      ]
    )
    // A release has no sound.
    #expect(Self.changeShutter(&machine, .ended).count == 1)
    #expect(!Self.plays(&machine, event: 1) && !Self.plays(&machine, event: 2))
  }

  @Test func `plays no sound for a press of a local button`() {
    for isSoundDisabled in [false, true] {
      var machine = Self.listening(isSoundDisabled: isSoundDisabled)
      #expect(Self.changeShutter(&machine, .began, .button).count == 1)
      #expect(!Self.plays(&machine, event: 1))
    }
  }

  @Test func `plays one sound per press if the default sound is disabled`() {
    for event in [1, 2] {
      var machine = Self.listening(isSoundDisabled: true)
      #expect(Self.changeShutter(&machine, .began).count == 1)
      #expect(Self.changeShutter(&machine, .ended).count == 1)
      #expect(Self.plays(&machine, event: event))
      // A failed sound can be requested again, a played one cannot.
      #expect(Self.plays(&machine, event: event))
      machine.soundPlayed(for: event)
      #expect(!Self.plays(&machine, event: 1) && !Self.plays(&machine, event: 2))
      // The next press has its own sound.
      _ = Self.changeShutter(&machine, .began)
      #expect(Self.plays(&machine, event: 3))
    }
  }

  @Test func `limits the number of failed sounds per press`() {
    var machine = Self.listening(isSoundDisabled: true)
    _ = Self.changeShutter(&machine, .began)
    _ = Self.changeShutter(&machine, .ended)
    // The began and ended events of a press share their attempts.
    #expect((0..<20).count { Self.plays(&machine, event: 1 + $0 % 2) } == 8)
    _ = Self.changeShutter(&machine, .began)
    #expect(Self.plays(&machine, event: 3))
  }

  @Test func `allows a sound for fifteen seconds after an event`() {
    var machine = Self.listening(isSoundDisabled: true)
    _ = Self.changeShutter(&machine, .began, at: Self.second)
    _ = Self.changeShutter(&machine, .ended, at: 10 * Self.second)
    #expect(Self.plays(&machine, event: 1, at: 16 * Self.second))
    #expect(!Self.plays(&machine, event: 1, at: 16 * Self.second + 1))
    #expect(Self.plays(&machine, event: 2, at: 25 * Self.second))
    #expect(!Self.plays(&machine, event: 2, at: 25 * Self.second + 1))
  }

  @Test func `refuses a sound for an unknown, cancelled or old event`() {
    var machine = Self.listening(isSoundDisabled: true)
    #expect(!Self.plays(&machine, event: 0) && !Self.plays(&machine, event: 1))
    _ = Self.changeShutter(&machine, .began)
    _ = Self.changeShutter(&machine, .cancelled)
    #expect(!Self.plays(&machine, event: 2))
    for _ in 0..<50 {
      _ = Self.changeShutter(&machine, .began)
      _ = Self.changeShutter(&machine, .ended)
    }
    #expect(!Self.plays(&machine, event: 3) && Self.plays(&machine, event: 102))
  }

  @Test func `a new subscription decides which sounds later presses play`() {
    var machine = Self.listening(isSoundDisabled: true)
    _ = Self.changeShutter(&machine, .began)
    _ = machine.received(.request(id: .integer(4), .captureSubscribe()), now: 2)
    #expect(Self.plays(&machine, event: 1))
    #expect(Self.changeShutter(&machine, .began).count == 2)
    #expect(!Self.plays(&machine, event: 2))
  }

  @Test func `cancelling a remote press reports a remote source`() {
    var machine = Self.listening(isSoundDisabled: true)
    _ = Self.changeShutter(&machine, .began)
    let cancelled = CaptureEvent(.primary, .cancelled, from: .remote, id: 2)
    #expect(machine.commanded(.dismiss, now: 3).first == .send(.notification(.captureEvent(cancelled))))
  }
}
