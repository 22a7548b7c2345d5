// SPDX-License-Identifier: Apache-2.0

/// The severity of a finding.
package enum FindingSeverity: String, CaseIterable, Sendable, Hashable, Comparable {
  /// The grant is common, but an author should have decided it.
  case note
  /// The policy grants more than most programs need, or its meaning differs from its appearance.
  case warning
  /// The policy cannot work, or requests a grant that no policy may contain.
  case error

  /// Returns whether a severity is less than another.
  package static func < (a: FindingSeverity, b: FindingSeverity) -> Bool { a.weight < b.weight }

  /// The position in the order of severities.
  private var weight: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}
