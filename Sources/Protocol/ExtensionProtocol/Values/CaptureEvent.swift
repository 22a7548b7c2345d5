// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A capture button.
package enum CaptureButton: String, CaseIterable, Sendable {
  /// The primary button (shutter).
  case primary
  /// The secondary button.
  case secondary
}

/// A phase of pressing a capture button.
package enum CapturePhase: String, CaseIterable, Sendable {
  /// The button was pressed.
  case began
  /// The button was released.
  case ended
  /// The button is still pressed, but the extension should ignore it.
  case cancelled
}

/// The location of a capture button.
package enum CaptureSource: String, CaseIterable, Sendable {
  /// On the machine: the user feels that the button was pressed.
  case button
  /// On a remote device, such as headphones: the user may not see the machine, and needs a sound as feedback.
  case remote
}

/// The parameters of `capture/event`: a capture button changed its state.
package struct CaptureEvent: WireValue, Hashable {
  package var button: CaptureButton
  package var phase: CapturePhase
  /// The location of the button.
  package var source: CaptureSource
  /// The number of the event in the session, from 1, or 0 if it was not counted.
  package var id: Int

  /// Creates an event.
  package init(
    _ button: CaptureButton,
    _ phase: CapturePhase,
    from source: CaptureSource = .button,
    id: Int = 0
  ) {
    self.button = button
    self.phase = phase
    self.source = source
    self.id = id
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    button = try fields.choice("button")
    phase = try fields.choice("phase")
    source = try fields.ifPresent("source", FieldReader.choice) ?? .button
    id =
      try fields.ifPresent("id") { fields, name throws(ProtocolViolation) in
        try fields.integer(name, in: 0...Int.max)
      } ?? 0
  }

  /// The value as JSON.
  package var json: JSONValue {
    [
      "button": .string(button.rawValue), "phase": .string(phase.rawValue),
      "source": .string(source.rawValue), "id": .integer(Int64(id)),
    ]
  }
}
