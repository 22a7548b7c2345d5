// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Whether a session is what the person sees.
package enum ScenePhase: String, CaseIterable, Sendable {
  /// It is in front and gets what the person does.
  case active
  /// It is in front, and something else gets what the person does: they are asked who they are.
  case inactive
  /// It is no longer in front: the session ends.
  case background
}

/// How the machine is held, as the person sees it.
package enum SceneOrientation: String, CaseIterable, Sendable {
  /// Upright.
  case portrait
  /// On its head.
  case portraitUpsideDown
  /// Turned so that its top is on the left.
  case landscapeLeft
  /// Turned so that its top is on the right.
  case landscapeRight
}

/// How a session stands before the person.
package struct SceneState: WireValue, Hashable {
  /// Whether it is what they see.
  package var phase: ScenePhase
  /// How the machine is held.
  package var orientation: SceneOrientation

  /// In front and upright, unless it is said otherwise.
  package init(phase: ScenePhase = .active, orientation: SceneOrientation = .portrait) {
    self.phase = phase
    self.orientation = orientation
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    phase = try fields.choice("phase")
    orientation = try fields.choice("orientation")
  }

  /// Writes it.
  package var json: JSONValue {
    ["phase": .string(phase.rawValue), "orientation": .string(orientation.rawValue)]
  }
}
