// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// What a person does to the camera controls of a session.
package enum CameraControlCommand: Sendable, Hashable {
  /// They want this value; of a picker it is the number of the title, from 0.
  case set(String, Double)
  /// They turn a control by so many steps; nil: the one that they have used last.
  case turn(String?, steps: Int)
  /// They choose the title of a picker, or its number.
  case select(String, String)
  /// They go on to the next control.
  case next
  /// They take the controls up, let them fill the display, or put them away.
  case show(ControlsAppearance)
  /// They let the controls fill the display, or do so no longer.
  case toggleFullscreen

  /// The most steps of one turn.
  static let mostSteps = 10_000
}

extension CameraControlCommand {
  /// Reads a step of a script: `adjust zoom to 2.5`, `adjust zoom by -1`, `select filter Mono`, `controls fullscreen`;
  /// nil if it is not written so.
  package init?(_ verb: String, _ operands: [String]) {
    switch (verb, operands.count, operands.dropFirst().first) {
    case ("adjust", 3, "to"):
      guard let value = Double(operands[2]), value.isFinite else { return nil }
      self = .set(operands[0], value)
    case ("adjust", 3, "by"):
      guard let steps = Int(operands[2]), (-Self.mostSteps...Self.mostSteps).contains(steps) else {
        return nil
      }
      self = .turn(operands[0], steps: steps)
    case ("select", 2..., _): self = .select(operands[0], operands.dropFirst().joined(separator: " "))
    case ("controls", 1, _):
      guard let appearance = ControlsAppearance(rawValue: operands[0]) else { return nil }
      self = .show(appearance)
    default: return nil
    }
  }
}
