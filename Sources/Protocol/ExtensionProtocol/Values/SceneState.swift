// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The phase of a session's scene.
package enum ScenePhase: String, CaseIterable, Sendable {
  /// The session is in the foreground and receives input.
  case active
  /// The session is in the foreground without receiving input, for example during authentication.
  case inactive
  /// The session is no longer in the foreground, and ends.
  case background
}

/// The orientation of the machine as the user sees it.
package enum SceneOrientation: String, CaseIterable, Sendable {
  /// Upright.
  case portrait
  /// Upside down.
  case portraitUpsideDown
  /// Rotated so that the top is on the left.
  case landscapeLeft
  /// Rotated so that the top is on the right.
  case landscapeRight
}

/// The phase and the orientation of a session's scene.
package struct SceneState: WireValue, Hashable {
  package var phase: ScenePhase
  package var orientation: SceneOrientation

  /// Creates a state. By default, the scene is active and upright.
  package init(phase: ScenePhase = .active, orientation: SceneOrientation = .portrait) {
    self.phase = phase
    self.orientation = orientation
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    phase = try fields.choice("phase")
    orientation = try fields.choice("orientation")
  }

  /// The value as JSON.
  package var json: JSONValue {
    ["phase": .string(phase.rawValue), "orientation": .string(orientation.rawValue)]
  }
}
