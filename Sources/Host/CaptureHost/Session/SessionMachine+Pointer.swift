// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension SessionMachine {
  /// Whether contacts with the viewfinder reach the extension now: the extension has subscribed, and the
  /// session is in the foreground and receives input.
  package var receivesPointer: Bool {
    phase == .running && isPointerSubscribed && scene.phase == .active
  }

  /// Delivers a change of a contact with the viewfinder. A contact that begins or ends is an interaction of
  /// the user.
  mutating func deliver(_ event: PointerEvent, now: UInt64) -> [SessionAction] {
    var event = event
    event.time = extensionTime(now)
    let obstacle = obstacle(to: event)
    let events = contacts.take(event, isInside: obstacle == nil, now: now)
    guard let obstacle else {
      lastActivity = now
      if event.phase == .began || events.contains(where: { $0.phase == .ended }) { interaction = .event(now) }
      return send(events, now)
    }
    let actions = send(events, now)
    return event.phase == .began
      ? actions + [.log(.notice, "a touch was not delivered: \(obstacle)")] : actions
  }

  /// Sends the moves that were delayed to limit their rate.
  mutating func sendDueMoves(_ now: UInt64) -> [SessionAction] {
    contacts.takeDueMoves(now: now).flatMap { notify(.pointerEvent($0)) }
  }

  /// Cancels the pressed buttons and the contacts with the viewfinder.
  mutating func cancelInput(_ now: UInt64) -> [SessionAction] {
    cancelPresses(now) + send(contacts.cancelAll(), now)
  }

  /// Returns the reason why the extension cannot receive an event, or `nil` if it can.
  private func obstacle(to event: PointerEvent) -> String? {
    guard isPointerSubscribed else { return "the extension has not subscribed to pointer events" }
    guard receivesPointer else { return "the session is not in the foreground" }
    guard let picture = terms.devices.camera else { return "the session has no viewfinder" }
    guard (0..<ProtocolLimits.contacts).contains(event.contact) else {
      return "the contact \(event.contact) is not a number from 0 to \(ProtocolLimits.contacts - 1)"
    }
    let isInside =
      event.x >= 0 && event.x < Double(picture.width) && event.y >= 0 && event.y < Double(picture.height)
    return isInside
      ? nil : "(\(event.x), \(event.y)) is outside the picture of \(picture.width) × \(picture.height) pixels"
  }

  private func send(_ events: [PointerEvent], _ now: UInt64) -> [SessionAction] {
    events.flatMap { event in
      var event = event
      // The position of a cancelled contact is older than its cancellation.
      event.time = extensionTime(now)
      return notify(.pointerEvent(event))
    }
  }

  /// Returns a time of the host's monotonic clock as a time of the extension's monotonic clock.
  private func extensionTime(_ now: UInt64) -> UInt64 { now &+ UInt64(bitPattern: terms.clockLead) }
}
