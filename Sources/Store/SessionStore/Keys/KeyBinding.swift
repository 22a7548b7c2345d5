// SPDX-License-Identifier: Apache-2.0

/// A binding of a key to a control.
package struct KeyBinding: Hashable, Sendable {
  /// A number of presses of a key.
  package enum Press: String, CaseIterable, Sendable {
    /// One press. For a switch: turning it off.
    case single
    /// Two presses in quick succession.
    case double
  }

  /// The kernel's name of the key, such as `KEY_CAMERA`.
  package var key: String
  /// The number of presses.
  package var press: Press
  /// The qualified name of the control, such as `org.example.camera/shutter`.
  package var control: String

  /// Creates a binding.
  package init(key: String, press: Press, control: String) {
    self.key = key
    self.press = press
    self.control = control
  }

  /// The key as users write it: `KEY_CAMERA` or `KEY_POWER:double`.
  package var keyText: String { press == .single ? key : "\(key):\(press.rawValue)" }
}
