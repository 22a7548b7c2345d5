// SPDX-License-Identifier: Apache-2.0

package import KeyInput
package import SessionStore

/// A key action that triggers a command.
package struct KeyTrigger: Hashable, Sendable {
  /// The key, or the switch, which triggers when it is turned off, as when a lens is uncovered.
  package let code: InputCode
  /// The kind of the press.
  package let press: KeyBinding.Press

  /// Creates a trigger.
  package init(_ code: InputCode, _ press: KeyBinding.Press = .single) {
    self.code = code
    self.press = press
  }

  /// Creates a trigger from text such as `KEY_CAMERA` or `KEY_POWER:double`. Returns `nil` if the key is
  /// unknown, or if a switch has a double press.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let code = InputCode(name: String(parts[0])) else { return nil }
    guard parts.count == 2 else {
      self.init(code)
      return
    }
    guard let press = KeyBinding.Press(rawValue: String(parts[1])), code.kind == .key || press == .single
    else {
      return nil
    }
    self.init(code, press)
  }
}

/// Detects triggers in the events of input devices.
package struct KeyTriggers: Sendable {
  /// The maximum time between the two presses of a double press, in nanoseconds.
  package static let doubleTime: UInt64 = 500_000_000

  private let triggers: Set<KeyTrigger>
  /// The time of the first press of a possible double press.
  private var first: [DeviceKey: UInt64] = [:]

  /// Creates a detector of these triggers.
  package init(_ triggers: Set<KeyTrigger>) { self.triggers = triggers }

  /// The keys and switches for which devices are read.
  package var codes: Set<InputCode> { Set(triggers.map(\.code)) }

  /// Returns the trigger that an event completes, or `nil` if there is none.
  package mutating func fired(by event: KeyInputEvent) -> KeyTrigger? {
    switch event {
    case .down(let place, let time) where place.code.kind == .key:
      if let single = matching(place.code, .single) { return single }
      guard let double = matching(place.code, .double) else { return nil }
      if let before = first.removeValue(forKey: place), time >= before, time - before <= Self.doubleTime {
        return double
      }
      first[place] = time
      return nil
    case .up(let place, _) where place.code.kind == .toggle: return matching(place.code, .single)
    case .lost(let place):
      first[place] = nil
      return nil
    case .down, .up, .repeated: return nil
    }
  }

  /// Discards the first press of a possible double press, after another event.
  package mutating func forget() { first = [:] }

  private func matching(_ code: InputCode, _ press: KeyBinding.Press) -> KeyTrigger? {
    let trigger = KeyTrigger(code, press)
    return triggers.contains(trigger) ? trigger : nil
  }
}
