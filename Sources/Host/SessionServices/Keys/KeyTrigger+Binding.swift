// SPDX-License-Identifier: Apache-2.0

internal import KeyInput
package import SessionStore

/// The reason why a text names no key that can be bound.
package enum KeyNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kernel has no key or switch with this name, or the number of presses is unknown.
  case unknown(String)
  /// The library that knows the names is unavailable, for this reason.
  case libraryUnavailable(String)

  /// The error and its fix.
  package var description: String {
    switch self {
    case .unknown(let name):
      "'\(name)' is not a key name; use a name of the kernel, such as KEY_CAMERA or KEY_POWER:double "
        + "('evtest' lists the keys of a device)"
    case .libraryUnavailable(let reason): reason
    }
  }
}

extension KeyTrigger {
  /// Creates the trigger that a user names, such as `KEY_POWER:double`.
  package init(named name: String) throws(KeyNameError) {
    if let trigger = KeyTrigger(name) {
      self = trigger
    } else if let fault = EvdevLibrary.fault {
      throw .libraryUnavailable(fault)
    } else {
      throw .unknown(name)
    }
  }
}

extension KeyBindings {
  /// Binds a trigger to a control, and replaces the previous binding of its key.
  ///
  /// - Returns: The binding.
  package func bind(_ trigger: KeyTrigger, to control: InstalledControl) throws(StoreError) -> KeyBinding {
    let binding = KeyBinding(key: "\(trigger.code)", press: trigger.press, control: control.fullName)
    try bind(binding)
    return binding
  }
}
