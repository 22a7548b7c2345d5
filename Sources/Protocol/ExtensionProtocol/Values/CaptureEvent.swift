// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A capture button.
package enum CaptureButton: String, CaseIterable, Sendable {
  /// The shutter.
  case primary
  /// The other one.
  case secondary
}

/// What a capture button did.
package enum CapturePhase: String, CaseIterable, Sendable {
  /// It was pressed.
  case began
  /// It was released.
  case ended
  /// It is pressed, but no longer meant for the extension.
  case cancelled
}

/// Where a capture button is.
package enum CaptureSource: String, CaseIterable, Sendable {
  /// On the machine: the person feels that they have pressed it.
  case button
  /// Away from it, as on headphones: the person may not see the machine, and hears whether it has heard them.
  case remote
}

/// A capture button moved.
package struct CaptureEvent: WireValue, Hashable {
  /// Which.
  package var button: CaptureButton
  /// How.
  package var phase: CapturePhase
  /// Where it is.
  package var source: CaptureSource
  /// Its number in the session, from 1; 0: it was not counted.
  package var id: Int

  /// Makes an event.
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

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    button = try fields.choice("button")
    phase = try fields.choice("phase")
    source = try fields.ifPresent("source", FieldReader.choice) ?? .button
    id =
      try fields.ifPresent("id") { fields, name throws(ProtocolViolation) in
        try fields.integer(name, in: 0...Int.max)
      } ?? 0
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "button": .string(button.rawValue), "phase": .string(phase.rawValue),
      "source": .string(source.rawValue), "id": .integer(Int64(id)),
    ]
  }
}
