// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The contacts with the viewfinder that the extension knows.
///
/// At most one move of a contact is sent for each frame of the viewfinder; a later move replaces one that has
/// not been sent yet. A contact that leaves the picture is cancelled at its last position in the picture.
struct PointerContacts: Sendable {
  /// The minimum interval between two moves of a contact, in nanoseconds. The host shows at most 60 frames
  /// per second.
  static let moveInterval: UInt64 = 1_000_000_000 / 60

  /// A contact in progress.
  private struct Contact: Sendable {
    /// The last event that was sent.
    var last: PointerEvent
    /// The time from which another move can be sent.
    var nextMove: UInt64
    /// The newest move that was not sent yet.
    var pendingMove: PointerEvent?
  }

  private var contacts: [Int: Contact] = [:]

  /// The time at which ``takeDueMoves(now:)`` returns a move, or `nil` if no move is pending.
  var nextDeadline: UInt64? {
    contacts.values.compactMap { $0.pendingMove == nil ? nil : $0.nextMove }.min()
  }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event. Its contact is unknown unless it began in the picture.
  ///   - isInside: Whether the position of the event is in the picture.
  ///   - now: The current time, in nanoseconds.
  /// - Returns: The events to send.
  mutating func take(_ event: PointerEvent, isInside: Bool, now: UInt64) -> [PointerEvent] {
    guard event.phase != .began else {
      let cancelled = cancel(event.contact)
      if isInside { contacts[event.contact] = Contact(last: event, nextMove: now + Self.moveInterval) }
      return isInside ? cancelled + [event] : cancelled
    }
    guard isInside, event.phase != .cancelled else { return cancel(event.contact) }
    guard let contact = contacts[event.contact] else { return [] }
    if event.phase == .ended {
      contacts[event.contact] = nil
    } else if now < contact.nextMove {
      contacts[event.contact]?.pendingMove = event
      return []
    } else {
      contacts[event.contact] = Contact(last: event, nextMove: now + Self.moveInterval)
    }
    return [event]
  }

  /// Returns the pending moves that can be sent now.
  mutating func takeDueMoves(now: UInt64) -> [PointerEvent] {
    let due = contacts.values.filter { now >= $0.nextMove }.compactMap(\.pendingMove)
    for move in due { contacts[move.contact] = Contact(last: move, nextMove: now + Self.moveInterval) }
    return due.sorted { $0.contact < $1.contact }
  }

  /// Cancels all contacts, and returns the events to send.
  mutating func cancelAll() -> [PointerEvent] { contacts.keys.sorted().flatMap { cancel($0) } }

  private mutating func cancel(_ number: Int) -> [PointerEvent] {
    guard let contact = contacts.removeValue(forKey: number) else { return [] }
    var event = contact.pendingMove ?? contact.last
    event.phase = .cancelled
    return [event]
  }
}
