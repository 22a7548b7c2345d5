// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// A mistake in a document of invariants. A document with a mistake is rejected as a whole, so that no filter
/// is verified against only some of its invariants.
package struct InvariantError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The position of the mistake.
  package var origin: PolicyOrigin
  /// The mistake.
  package var mistake: InvariantMistake

  /// A sentence with the position, the reason and the fix.
  package var description: String { "\(origin): \(mistake)" }
}

/// A kind of mistake in a document of invariants.
package enum InvariantMistake: Sendable, Hashable, CustomStringConvertible {
  /// The text is not JSON.
  case notJSON(String)
  /// A value has a different type than its key requires.
  case wrongKind(key: String, expected: String, found: String)
  /// The object does not have such a key.
  case unknownKey(String, known: [String])
  /// A required key is missing.
  case missingKey(String)
  /// No architecture has a call with this name.
  case unknownCall(String)
  /// No architecture has this name.
  case unknownArchitecture(String, known: [String])
  /// The argument index is not in 0...5.
  case argumentIndex(Int64)
  /// A text is neither a number nor a constant.
  case value(String)
  /// A value has bits outside the mask, so that the condition never holds.
  case valueOutsideMask(value: UInt64, mask: UInt64)
  /// Two invariants have the same name.
  case repeated(String)

  /// The reason and the fix.
  package var description: String {
    switch self {
    case .notJSON(let reason): "the text is no JSON: \(reason)"
    case .wrongKind(let key, let expected, let found):
      "\(key) wants \(expected), not \(found); write \(expected)"
    case .unknownKey(let key, let known):
      "there is no key \"\(key)\"; write one of \(known.joined(separator: ", "))"
    case .missingKey(let key): "the key \"\(key)\" is missing; add it"
    case .unknownCall(let name):
      "no architecture has a call \"\(name)\"; write a call's name as the kernel has it"
    case .unknownArchitecture(let name, let known):
      "there is no architecture \"\(name)\"; write one of \(known.joined(separator: ", "))"
    case .argumentIndex(let index): "a call has the arguments 0 to 5, not \(index); write one of those"
    case .value(let text): "\"\(text)\" is no value; write a number, \"0x…\" or the name of a constant"
    case .valueOutsideMask(let value, let mask):
      "0x\(String(value, radix: 16)) has bits outside the mask 0x\(String(mask, radix: 16)), so that it never equals; "
        + "correct one of them"
    case .repeated(let name): "there are two invariants \"\(name)\"; give one another name"
    }
  }
}
