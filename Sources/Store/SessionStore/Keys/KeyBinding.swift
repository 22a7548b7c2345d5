// SPDX-License-Identifier: Apache-2.0

/// A key and the control that it presses.
package struct KeyBinding: Hashable, Sendable {
  /// How the key is pressed.
  package enum Press: String, CaseIterable, Sendable {
    /// Once; of a switch: it is turned off.
    case single
    /// Twice, one press soon after the other.
    case double
  }

  /// The kernel's name of the key, as `KEY_CAMERA`.
  package var key: String
  /// How it is pressed.
  package var press: Press
  /// The full name of the control, as `org.example.camera/shutter`.
  package var control: String

  /// Binds a key to a control.
  package init(key: String, press: Press, control: String) {
    self.key = key
    self.press = press
    self.control = control
  }

  /// The key as people write it: `KEY_CAMERA`, or `KEY_POWER:double`.
  package var keyText: String { press == .single ? key : "\(key):\(press.rawValue)" }
}
