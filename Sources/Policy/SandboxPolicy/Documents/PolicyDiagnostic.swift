// SPDX-License-Identifier: Apache-2.0

/// A mistake in a policy, with its position, its reason and its fix.
package struct PolicyDiagnostic: Sendable, Equatable {
  /// The position of the mistake.
  package var origin: PolicyOrigin
  /// The key path that the mistake belongs to, for example `syscalls.allow[3]`; empty for the document as a
  /// whole.
  package var keyPath: String
  package var mistake: PolicyMistake

  /// Creates a diagnostic.
  package init(origin: PolicyOrigin, keyPath: String, mistake: PolicyMistake) {
    self.origin = origin
    self.keyPath = keyPath
    self.mistake = mistake
  }
}

extension PolicyDiagnostic: CustomStringConvertible {
  /// The diagnostic as one line: position, key path, reason and fix.
  package var description: String {
    let key = keyPath.isEmpty ? "" : "\(keyPath): "
    return "\(origin): \(key)\(mistake.reason); \(mistake.fix)"
  }
}

/// All mistakes of a policy, in the order of the text.
package struct PolicyDiagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  /// The mistakes, at least one.
  package var all: [PolicyDiagnostic]

  /// Creates a collection of mistakes.
  package init(_ all: [PolicyDiagnostic]) { self.all = all }

  /// The mistakes as text, one line each.
  package var description: String { all.map(\.description).joined(separator: "\n") }
}
