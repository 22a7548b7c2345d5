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

/// A capture button moved.
package struct CaptureEvent: WireValue, Hashable {
  /// Which.
  package var button: CaptureButton
  /// How.
  package var phase: CapturePhase

  /// Makes an event.
  package init(_ button: CaptureButton, _ phase: CapturePhase) {
    self.button = button
    self.phase = phase
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    button = try fields.choice("button")
    phase = try fields.choice("phase")
  }

  /// Writes it.
  package var json: JSONValue {
    ["button": .string(button.rawValue), "phase": .string(phase.rawValue)]
  }
}
