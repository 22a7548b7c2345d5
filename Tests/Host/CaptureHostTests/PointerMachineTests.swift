// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import Testing

@testable import CaptureHost

/// Session behavior for contacts with the viewfinder, whose picture has 64 × 48 pixels.
@Suite struct PointerMachineTests {
  private static let second = SessionMachineTests.second
  private static let interval = PointerContacts.moveInterval

  /// Returns a machine whose extension has subscribed to pointer events.
  private func subscribed(
    camera: CameraDescription? = SessionMachineTests.camera,
    lock: LockState = .unlocked,
    clockLead: Int64 = 0
  ) -> SessionMachine {
    var terms = SessionMachineTests.terms(camera: camera)
    (terms.launch.lockState, terms.clockLead) = (lock, clockLead)
    var machine = SessionMachine(terms, launchedAt: 0)
    let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    _ = machine.received(.reply(answer), now: 1)
    let done = SessionAction.send(.reply(Reply(id: .integer(2), result: EmptyResult())))
    #expect(machine.received(.request(id: .integer(2), .pointerSubscribe), now: 1) == [done])
    return machine
  }

  /// Returns the actions that send events.
  private func sent(_ events: PointerEvent...) -> [SessionAction] {
    events.map { .send(.notification(.pointerEvent($0))) }
  }

  /// Passes an event of the user to a machine.
  private func touch(
    _ machine: inout SessionMachine,
    _ phase: PointerPhase,
    _ x: Double,
    _ y: Double,
    contact: Int = 0,
    at now: UInt64
  ) -> [SessionAction] {
    machine.commanded(.pointer(PointerEvent(phase, x: x, y: y, contact: contact)), now: now)
  }

  /// Returns the error code of a request to open the app, or `nil` if the request is not refused.
  private func openingRefusal(_ machine: inout SessionMachine, at now: UInt64) -> ProtocolErrorCode? {
    let request = ExtensionRequest.sessionOpenApplication(UserActivity(activityType: "a.b"))
    guard
      case .send(.reply(let reply)) = machine.received(.request(id: .integer(7), request), now: now).first,
      case .failure(let error) = reply.outcome
    else { return nil }
    return error.knownCode
  }

  @Test func `sends a contact in the time of the extension's clock`() {
    var machine = subscribed(clockLead: -2)
    #expect(
      touch(&machine, .began, 3, 4.5, contact: 2, at: 10)
        == sent(PointerEvent(.began, x: 3, y: 4.5, contact: 2, time: 8))
    )
    #expect(
      touch(&machine, .ended, 63.5, 47.5, contact: 2, at: 20)
        == sent(PointerEvent(.ended, x: 63.5, y: 47.5, contact: 2, time: 18))
    )
    // The contact is over.
    #expect(touch(&machine, .moved, 3, 4, contact: 2, at: 30) == [])
    #expect(touch(&machine, .ended, 3, 4, contact: 2, at: 30) == [])
  }

  @Test func `sends nothing to an extension that has not subscribed, and logs why`() {
    var machine = SessionMachineTests.listening()
    #expect(!machine.receivesPointer)
    guard case .log(.notice, let text)? = touch(&machine, .began, 1, 1, at: 2).first else {
      Issue.record("the touch should be logged")
      return
    }
    #expect(text.contains("has not subscribed"))
    #expect(touch(&machine, .moved, 1, 1, at: 3) == [] && touch(&machine, .ended, 1, 1, at: 4) == [])
    #expect(openingRefusal(&machine, at: 5) == .interactionRequired)
  }

  @Test(arguments: [(-0.5, 1.0), (64, 1), (1, -0.1), (1, 48), (.nan, 1), (1, .infinity)])
  func `a contact that begins outside the picture is unknown, and one that leaves is cancelled`(
    x: Double,
    y: Double
  ) {
    var machine = subscribed()
    guard case .log? = touch(&machine, .began, x, y, at: 2).first else {
      Issue.record("the touch should be logged")
      return
    }
    #expect(touch(&machine, .ended, 1, 1, at: 3) == [])
    #expect(openingRefusal(&machine, at: 4) == .interactionRequired)
    _ = touch(&machine, .began, 5, 6, at: 10)
    #expect(touch(&machine, .moved, x, y, at: 11) == sent(PointerEvent(.cancelled, x: 5, y: 6, time: 11)))
    #expect(touch(&machine, .moved, 5, 6, at: 12) == [])
    _ = touch(&machine, .began, 5, 6, at: 20)
    #expect(touch(&machine, .ended, x, y, at: 21) == sent(PointerEvent(.cancelled, x: 5, y: 6, time: 21)))
  }

  @Test func `sends at most one move of a contact per frame, and the newest one`() {
    var machine = subscribed()
    _ = touch(&machine, .began, 1, 1, at: 0)
    for time in 1...5 { #expect(touch(&machine, .moved, Double(time), 2, at: UInt64(time)) == []) }
    _ = touch(&machine, .began, 9, 9, contact: 1, at: 5)
    #expect(machine.nextDeadline == Self.interval)
    #expect(
      machine.timePassed(now: Self.interval) == sent(PointerEvent(.moved, x: 5, y: 2, time: 5))
    )
    // The other contact has its own interval.
    #expect(
      touch(&machine, .moved, 8, 8, contact: 1, at: 5 + Self.interval)
        == sent(PointerEvent(.moved, x: 8, y: 8, contact: 1, time: 5 + Self.interval))
    )
    // The end replaces a pending move.
    #expect(touch(&machine, .moved, 6, 2, at: Self.interval + 1) == [])
    #expect(
      touch(&machine, .ended, 7, 2, at: Self.interval + 2)
        == sent(PointerEvent(.ended, x: 7, y: 2, time: Self.interval + 2))
    )
    #expect(machine.nextDeadline != 2 * Self.interval)
    #expect(machine.timePassed(now: 3 * Self.interval) == [])
  }

  @Test func `a contact that moves each millisecond sends at most 60 moves per second`() {
    var machine = subscribed()
    _ = touch(&machine, .began, 1, 1, at: 0)
    var moves = 0
    for millisecond in 1..<1000 {
      let now = UInt64(millisecond) * 1_000_000
      moves += touch(&machine, .moved, Double(millisecond % 60), 2, at: now).count
      // Half of the moves are sent when they arrive, and the others after their delay.
      if millisecond > 500 { moves += machine.timePassed(now: now + 900_000).count }
    }
    #expect((50...60).contains(moves))
  }

  @Test func `cancels a contact at its last position, even if this position was not sent yet`() {
    var machine = subscribed()
    _ = touch(&machine, .began, 1, 2, at: 0)
    #expect(touch(&machine, .moved, 3, 4, at: 1) == [])
    #expect(touch(&machine, .moved, -1, 4, at: 2) == sent(PointerEvent(.cancelled, x: 3, y: 4, time: 2)))
    #expect(machine.timePassed(now: Self.interval) == [])
  }

  @Test func `cancels a contact that begins again`() {
    var machine = subscribed()
    _ = touch(&machine, .began, 1, 2, at: 3)
    #expect(
      touch(&machine, .began, 4, 5, at: 6)
        == sent(PointerEvent(.cancelled, x: 1, y: 2, time: 6), PointerEvent(.began, x: 4, y: 5, time: 6))
    )
  }

  @Test func `refuses contacts beyond the limit and sessions without a viewfinder`() {
    var machine = subscribed()
    for contact in 0..<ProtocolLimits.contacts {
      #expect(touch(&machine, .began, 1, 1, contact: contact, at: 1).count == 1)
    }
    for contact in [-1, ProtocolLimits.contacts] {
      guard case .log? = touch(&machine, .began, 1, 1, contact: contact, at: 2).first else {
        Issue.record("the touch \(contact) should be logged")
        return
      }
    }
    var blind = subscribed(camera: nil)
    guard case .log(_, let text)? = touch(&blind, .began, 0, 0, at: 2).first else {
      Issue.record("the touch should be logged")
      return
    }
    #expect(text.contains("no viewfinder"))
  }

  @Test func `a dismissal cancels the contacts first`() {
    var machine = subscribed()
    _ = touch(&machine, .began, 1, 2, contact: 3, at: 2)
    _ = touch(&machine, .began, 3, 4, at: 2)
    let actions = machine.commanded(.dismiss, now: 5)
    let expected = sent(
      PointerEvent(.cancelled, x: 3, y: 4, time: 5),
      PointerEvent(.cancelled, x: 1, y: 2, contact: 3, time: 5)
    )
    #expect(Array(actions.prefix(2)) == expected)
    #expect(!machine.receivesPointer && touch(&machine, .moved, 3, 4, at: 6) == [])
  }

  @Test func `a lock cancels the contacts`() {
    var machine = subscribed()
    _ = touch(&machine, .began, 1, 2, at: 2)
    let actions = machine.commanded(.lock(.locked), now: 5)
    #expect(actions.contains(sent(PointerEvent(.cancelled, x: 1, y: 2, time: 5))[0]))
  }

  @Test func `the prompt to open the app cancels contacts, and hides further ones from the extension`() {
    var machine = subscribed(lock: .locked)
    _ = touch(&machine, .began, 1, 2, at: 2)
    #expect(openingRefusal(&machine, at: 3) == nil)
    let prompt = machine.applicationChecked(nil, now: 4)
    #expect(prompt.contains(sent(PointerEvent(.cancelled, x: 1, y: 2, time: 4))[0]))
    #expect(!machine.receivesPointer)
    guard case .log? = touch(&machine, .began, 1, 2, at: 5).first else {
      Issue.record("the touch should be logged")
      return
    }
    #expect(touch(&machine, .ended, 1, 2, at: 6) == [])
    _ = machine.authenticated(.cancelled, now: 7)
    // The prompt has used up the interaction.
    #expect(openingRefusal(&machine, at: 8) == .interactionRequired)
    #expect(machine.receivesPointer && touch(&machine, .began, 1, 2, at: 9).count == 1)
  }

  @Test func `the start and the end of a contact permit opening the app, and a move does not`() {
    var machine = subscribed()
    _ = touch(&machine, .began, 1, 2, at: 0)
    let later = 11 * Self.second
    #expect(touch(&machine, .moved, 2, 2, at: later).count == 1)
    #expect(openingRefusal(&machine, at: later) == .interactionRequired)
    _ = touch(&machine, .ended, 2, 2, at: later)
    #expect(openingRefusal(&machine, at: later + 1) == nil)
    var other = subscribed()
    _ = touch(&other, .began, 1, 2, at: 2)
    _ = touch(&other, .cancelled, 1, 2, at: 3)
    #expect(openingRefusal(&other, at: 4) == nil)
  }
}
