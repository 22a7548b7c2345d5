// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The place from which the user launched a session.
package enum LaunchSurface: String, CaseIterable, Sendable {
  /// The lock screen, regardless of whether the machine is locked.
  case lockScreen
  /// Any other place in the user interface.
  case elsewhere
  /// A shell or a script.
  case commandLine
}

/// The origin of a session's launch.
package struct LaunchOrigin: WireValue, Hashable {
  /// The place from which the user launched the session.
  package var surface: LaunchSurface
  /// The ID of the control that the user used, or `nil` if there is none.
  package var control: String?

  /// Creates an origin.
  package init(_ surface: LaunchSurface, control: String? = nil) {
    self.surface = surface
    self.control = control
  }

  /// A launch from a shell without a control.
  package static let commandLine = LaunchOrigin(.commandLine)

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    surface = try fields.choice("surface")
    control = try fields.ifPresent("control", FieldReader.string)
  }

  /// The value as JSON.
  package var json: JSONValue {
    ["surface": .string(surface.rawValue), "control": control.map(JSONValue.string) ?? .null]
  }
}
