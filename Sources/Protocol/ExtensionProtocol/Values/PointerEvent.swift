// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A phase of a contact with the viewfinder.
package enum PointerPhase: String, CaseIterable, Sendable {
  /// A finger touched the picture, or the button of the pointer was pressed on it.
  case began
  /// The contact moved.
  case moved
  /// The finger was lifted, or the button was released.
  case ended
  /// The contact is over, and the extension must undo its effects.
  case cancelled
}

/// The parameters of `pointer/event`: a contact with the viewfinder changed.
package struct PointerEvent: WireValue, Hashable {
  /// The contact of the pointer. Fingers have greater numbers.
  package static let pointerContact = 0

  /// The number of the contact, from 0. A later contact can have the number of one that is over.
  package var contact: Int
  /// The phase of the contact.
  package var phase: PointerPhase
  /// The distance from the left edge of the viewfinder's picture, in pixels.
  package var x: Double
  /// The distance from the upper edge of the viewfinder's picture, in pixels.
  package var y: Double
  /// The time of the event, in nanoseconds of the extension's monotonic clock, or 0 if it was not delivered.
  package var time: UInt64

  /// Creates an event.
  package init(
    _ phase: PointerPhase,
    x: Double,
    y: Double,
    contact: Int = pointerContact,
    time: UInt64 = 0
  ) {
    self.contact = contact
    self.phase = phase
    self.x = x
    self.y = y
    self.time = time
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    contact = try fields.integer("contact", in: 0...Int.max)
    phase = try fields.choice("phase")
    x = try fields.number("x")
    y = try fields.number("y")
    time = UInt64(try fields.integer("time", in: 0...Int.max))
  }

  /// The value as JSON.
  package var json: JSONValue {
    [
      "contact": .integer(Int64(contact)), "phase": .string(phase.rawValue), "x": .short(x), "y": .short(y),
      "time": .integer(Int64(clamping: time)),
    ]
  }
}
