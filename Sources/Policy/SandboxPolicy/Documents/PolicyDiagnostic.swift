// SPDX-License-Identifier: Apache-2.0

/// A mistake in a policy: where, what, and how to mend it.
package struct PolicyDiagnostic: Sendable, Equatable {
  /// Where the mistake stands.
  package var origin: PolicyOrigin
  /// The key that it belongs to, for example `syscalls.allow[3]`; empty for the document as a whole.
  package var keyPath: String
  /// What is wrong.
  package var mistake: PolicyMistake

  /// Describes a mistake.
  package init(origin: PolicyOrigin, keyPath: String, mistake: PolicyMistake) {
    self.origin = origin
    self.keyPath = keyPath
    self.mistake = mistake
  }
}

extension PolicyDiagnostic: CustomStringConvertible {
  /// One line: `capture.json:12:7: syscalls.allow[3]: "opne" is no system call; did you mean "open"?`.
  package var description: String {
    let key = keyPath.isEmpty ? "" : "\(keyPath): "
    return "\(origin): \(key)\(mistake.reason); \(mistake.mend)"
  }
}

/// Every mistake of a policy, in the order of the text.
package struct PolicyDiagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  /// The mistakes, at least one.
  package var all: [PolicyDiagnostic]

  /// Collects mistakes.
  package init(_ all: [PolicyDiagnostic]) { self.all = all }

  /// One line for each mistake.
  package var description: String { all.map(\.description).joined(separator: "\n") }
}
