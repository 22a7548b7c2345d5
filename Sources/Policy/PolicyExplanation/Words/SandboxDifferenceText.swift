// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// The text of a difference other than system calls.
package struct SandboxDifferenceText {
  /// The entry that differs.
  package var subject: String
  /// The value in the old policy.
  package var old: String
  /// The value in the new policy.
  package var new: String
  /// The direction of the difference, with a remark if there is one.
  package var meaning: String

  /// Creates the text of a difference.
  package init(_ difference: SandboxDifference) {
    (subject, old, new) = Self.words(difference)
    meaning = difference.direction.rawValue
    switch difference {
    case .pathAdded(_, let below?), .pathRemoved(_, let below?): meaning += ": also visible through \(below)"
    default: break
    }
  }

  private static func words(_ difference: SandboxDifference) -> (String, String, String) {
    switch difference {
    case .pathAdded(let path, _): return ("readOnly \(path)", "hidden", "shown")
    case .pathRemoved(let path, _): return ("readOnly \(path)", "shown", "hidden")
    case .pathPresence(let path, let old, let new): return ("readOnly \(path)", "\(old)", "\(new)")
    case .deviceAdded(let name): return ("device \(name)", "hidden", "shown")
    case .deviceRemoved(let name): return ("device \(name)", "shown", "hidden")
    case .limit(let name, let old, let new):
      return ("limit \(name.rawValue)", QuantityText.text(old, name.unit), QuantityText.text(new, name.unit))
    case .scratch(let old, let new):
      return ("scratch size", QuantityText.text(old, .bytes), QuantityText.text(new, .bytes))
    case .layerOptional(let layer): return ("layer \(layer.rawValue)", "required", "best effort")
    case .layerRequired(let layer): return ("layer \(layer.rawValue)", "best effort", "required")
    case .singleMechanismAccepted(let access):
      return ("mechanisms against \(access.rawValue)", "two required", "one accepted")
    case .singleMechanismRefused(let access):
      return ("mechanisms against \(access.rawValue)", "one accepted", "two required")
    case .execute(let old, let new): return ("execute", old.rawValue, new.rawValue)
    case .semaphores(let old, let new): return ("semaphores", old.rawValue, new.rawValue)
    case .content(let old, let new): return ("content", old.rawValue, new.rawValue)
    }
  }
}
