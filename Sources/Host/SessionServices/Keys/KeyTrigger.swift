// SPDX-License-Identifier: Apache-2.0

package import KeyInput
package import SessionStore

/// What a person does with a key so that something happens.
package struct KeyTrigger: Hashable, Sendable {
  /// The key, or the switch, which does it when it is turned off: the lens is uncovered.
  package let code: InputCode
  /// How a key is pressed.
  package let press: KeyBinding.Press

  /// Names one.
  package init(_ code: InputCode, _ press: KeyBinding.Press = .single) {
    self.code = code
    self.press = press
  }

  /// Reads `KEY_CAMERA` or `KEY_POWER:double`; nil if there is no such key. A switch has no second press.
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

/// Finds out of what happens at the devices whether somebody has done one of some things.
package struct KeyTriggers: Sendable {
  /// How long after the first press the second may come, in nanoseconds.
  package static let doubleTime: UInt64 = 500_000_000

  private let triggers: Set<KeyTrigger>
  /// When a key was pressed for the first of two times.
  private var first: [KeyPlace: UInt64] = [:]

  /// Waits for these.
  package init(_ triggers: Set<KeyTrigger>) { self.triggers = triggers }

  /// The keys and switches for which devices are read.
  package var codes: Set<InputCode> { Set(triggers.map(\.code)) }

  /// What was done by this; nil: nothing, or not yet.
  package mutating func fired(by event: KeyDeskEvent) -> KeyTrigger? {
    switch event {
    case .down(let place, let time) where place.code.kind == .key:
      if let single = known(place.code, .single) { return single }
      guard let double = known(place.code, .double) else { return nil }
      if let before = first.removeValue(forKey: place), time >= before, time - before <= Self.doubleTime {
        return double
      }
      first[place] = time
      return nil
    case .up(let place, _) where place.code.kind == .toggle: return known(place.code, .single)
    case .lost(let place):
      first[place] = nil
      return nil
    case .down, .up, .repeated: return nil
    }
  }

  /// Forgets a press that waits for its second: something else has come between.
  package mutating func forget() { first = [:] }

  private func known(_ code: InputCode, _ press: KeyBinding.Press) -> KeyTrigger? {
    let trigger = KeyTrigger(code, press)
    return triggers.contains(trigger) ? trigger : nil
  }
}
