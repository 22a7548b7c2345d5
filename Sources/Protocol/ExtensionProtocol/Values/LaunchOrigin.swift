// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Where the person was when they launched the session.
package enum LaunchSurface: String, CaseIterable, Sendable {
  /// At the lock screen, whether the machine is locked at the moment or not.
  case lockScreen
  /// Anywhere else.
  case elsewhere
  /// In a shell, or a script was.
  case commandLine
}

/// What a session was launched from.
package struct LaunchOrigin: WireValue, Hashable {
  /// Where the person was.
  package var surface: LaunchSurface
  /// The id of the control that they used; nil for none.
  package var control: String?

  /// Makes an origin.
  package init(_ surface: LaunchSurface, control: String? = nil) {
    self.surface = surface
    self.control = control
  }

  /// From a shell, without a control.
  package static let commandLine = LaunchOrigin(.commandLine)

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    surface = try fields.choice("surface")
    control = try fields.ifPresent("control", FieldReader.string)
  }

  /// Writes it.
  package var json: JSONValue {
    ["surface": .string(surface.rawValue), "control": control.map(JSONValue.string) ?? .null]
  }
}
