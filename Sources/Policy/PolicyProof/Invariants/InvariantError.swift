// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// A mistake in a document of invariants. A document with a mistake is rejected as a whole, so that no filter
/// is verified against only some of its invariants.
package struct InvariantError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The position of the mistake.
  package var origin: PolicyOrigin
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
    case .notJSON(let reason): "not valid JSON: \(reason); correct the text at this position"
    case .wrongKind(let key, let expected, let found):
      "\(key) must be \(expected), not \(found); write \(expected)"
    case .unknownKey(let key, let known):
      "unknown key \"\(key)\"; use one of \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .missingKey(let key): "the key \"\(key)\" is missing; add it"
    case .unknownCall(let name):
      "unknown system call \"\(name)\"; use the kernel's name of the call"
    case .unknownArchitecture(let name, let known):
      "unknown architecture \"\(name)\"; use one of \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .argumentIndex(let index): "argument \(index) does not exist; use 0 to 5"
    case .value(let text):
      "\"\(text)\" is not a valid value; write a number, \"0x…\" or the name of a constant"
    case .valueOutsideMask(let value, let mask):
      "0x\(String(value, radix: 16)) has bits outside the mask 0x\(String(mask, radix: 16)), so the comparison is "
        + "never true; correct the value or the mask"
    case .repeated(let name): "the invariant \"\(name)\" exists twice; rename one of them"
    }
  }
}
