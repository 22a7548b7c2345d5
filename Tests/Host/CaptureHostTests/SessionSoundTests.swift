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
  private static func move(
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

  @Test func `a remote press sounds by itself, and no other sound is played for it`() {
    var machine = Self.listening(isSoundDisabled: false)
    let told = CaptureEvent(.primary, .began, from: .remote, id: 1)
    #expect(
      Self.move(&machine, .began) == [
        .send(.notification(.captureEvent(told))),
        .playSound(SoundRequest(event: 1, .standard(.cameraShutter)), nil),
      ]
    )
    // A release has no sound.
    #expect(Self.move(&machine, .ended).count == 1)
    #expect(!Self.plays(&machine, event: 1) && !Self.plays(&machine, event: 2))
  }

  @Test func `a button on the machine makes no sound, and none is played for it`() {
    for isSoundDisabled in [false, true] {
      var machine = Self.listening(isSoundDisabled: isSoundDisabled)
      #expect(Self.move(&machine, .began, .button).count == 1)
      #expect(!Self.plays(&machine, event: 1))
    }
  }

  @Test func `without the default sound one is played for a press, named by its beginning or its end`() {
    for event in [1, 2] {
      var machine = Self.listening(isSoundDisabled: true)
      #expect(Self.move(&machine, .began).count == 1)
      #expect(Self.move(&machine, .ended).count == 1)
      #expect(Self.plays(&machine, event: event))
      // A failed sound can be requested again, a played one cannot.
      #expect(Self.plays(&machine, event: event))
      machine.soundPlayed(for: event)
      #expect(!Self.plays(&machine, event: 1) && !Self.plays(&machine, event: 2))
      // The next press has its own sound.
      _ = Self.move(&machine, .began)
      #expect(Self.plays(&machine, event: 3))
    }
  }

  @Test func `an extension cannot keep the host reading sounds that cannot be played`() {
    var machine = Self.listening(isSoundDisabled: true)
    _ = Self.move(&machine, .began)
    _ = Self.move(&machine, .ended)
    // The began and ended events of a press share their attempts.
    #expect((0..<20).count { Self.plays(&machine, event: 1 + $0 % 2) } == 8)
    _ = Self.move(&machine, .began)
    #expect(Self.plays(&machine, event: 3))
  }

  @Test func `an event is good for a sound for fifteen seconds`() {
    var machine = Self.listening(isSoundDisabled: true)
    _ = Self.move(&machine, .began, at: Self.second)
    _ = Self.move(&machine, .ended, at: 10 * Self.second)
    #expect(Self.plays(&machine, event: 1, at: 16 * Self.second))
    #expect(!Self.plays(&machine, event: 1, at: 16 * Self.second + 1))
    #expect(Self.plays(&machine, event: 2, at: 25 * Self.second))
    #expect(!Self.plays(&machine, event: 2, at: 25 * Self.second + 1))
  }

  @Test func `events that never were, were cancelled, or are long forgotten have no sound`() {
    var machine = Self.listening(isSoundDisabled: true)
    #expect(!Self.plays(&machine, event: 0) && !Self.plays(&machine, event: 1))
    _ = Self.move(&machine, .began)
    _ = Self.move(&machine, .cancelled)
    #expect(!Self.plays(&machine, event: 2))
    for _ in 0..<50 {
      _ = Self.move(&machine, .began)
      _ = Self.move(&machine, .ended)
    }
    #expect(!Self.plays(&machine, event: 3) && Self.plays(&machine, event: 102))
  }

  @Test func `the newest subscription says whose the sounds are, for presses that come after it`() {
    var machine = Self.listening(isSoundDisabled: true)
    _ = Self.move(&machine, .began)
    _ = machine.received(.request(id: .integer(4), .captureSubscribe()), now: 2)
    #expect(Self.plays(&machine, event: 1))
    #expect(Self.move(&machine, .began).count == 2)
    #expect(!Self.plays(&machine, event: 2))
  }

  @Test func `a remote press that is taken away is still remote`() {
    var machine = Self.listening(isSoundDisabled: true)
    _ = Self.move(&machine, .began)
    let cancelled = CaptureEvent(.primary, .cancelled, from: .remote, id: 2)
    #expect(machine.commanded(.dismiss, now: 3).first == .send(.notification(.captureEvent(cancelled))))
  }
}
