// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A command from the user to the camera controls of a session.
package enum CameraControlCommand: Sendable, Hashable {
  /// Set the control with this ID to a value. The value of a picker is the index of the title, from 0.
  case set(String, Double)
  /// Move a control by a number of steps. The ID is `nil` for the control that was used last.
  case step(String?, steps: Int)
  /// Select a title of a picker, given as the title or as its index.
  case select(String, String)
  /// Move the focus to the next control.
  case next
  /// Show the controls, let them fill the display, or hide them.
  case show(ControlsAppearance)
  /// Switch the controls between full screen and their normal size.
  case toggleFullscreen

  /// The largest number of steps of one command.
  static let maximumSteps = 10_000
}

extension CameraControlCommand {
  /// Creates a command from a script step such as `adjust zoom to 2.5`, `adjust zoom by -1`, `select filter
  /// Mono` or `controls fullscreen`. Returns `nil` if the step is malformed.
  package init?(_ verb: String, _ operands: [String]) {
    switch (verb, operands.count, operands.dropFirst().first) {
    case ("adjust", 3, "to"):
      guard let value = Double(operands[2]), value.isFinite else { return nil }
      self = .set(operands[0], value)
    case ("adjust", 3, "by"):
      guard let steps = Int(operands[2]), (-Self.maximumSteps...Self.maximumSteps).contains(steps) else {
        return nil
      }
      self = .step(operands[0], steps: steps)
    case ("select", 2..., _): self = .select(operands[0], operands.dropFirst().joined(separator: " "))
    case ("controls", 1, _):
      guard let appearance = ControlsAppearance(rawValue: operands[0]) else { return nil }
      self = .show(appearance)
    default: return nil
    }
  }
}
