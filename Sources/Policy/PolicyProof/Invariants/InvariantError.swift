// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// What is wrong with a document of invariants. A document with a mistake states nothing: no filter is proved by half.
package struct InvariantError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where.
  package var origin: PolicyOrigin
  /// What.
  package var mistake: InvariantMistake

  /// A sentence with the place and the mend.
  package var description: String { "\(origin): \(mistake)" }
}

/// The ways in which a document of invariants can be wrong.
package enum InvariantMistake: Sendable, Hashable, CustomStringConvertible {
  /// The text is not JSON.
  case notJSON(String)
  /// A value is of another kind than its key wants.
  case wrongKind(key: String, expected: String, found: String)
  /// There is no such key.
  case unknownKey(String, known: [String])
  /// A key that must be there is not.
  case missingKey(String)
  /// No architecture has such a call.
  case unknownCall(String)
  /// There is no such architecture.
  case unknownArchitecture(String, known: [String])
  /// A system call has six arguments, from 0.
  case argumentIndex(Int64)
  /// Neither a number nor a constant.
  case value(String)
  /// A value has bits that the mask leaves out, so that the condition never holds.
  case valueOutsideMask(value: UInt64, mask: UInt64)
  /// Two invariants have the same name.
  case repeated(String)

  /// What is wrong and what to write.
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
