// SPDX-License-Identifier: Apache-2.0

/// How much a finding matters.
package enum FindingSeverity: String, CaseIterable, Sendable, Hashable, Comparable {
  /// Worth knowing: the grant is an ordinary one, and somebody should have meant it.
  case note
  /// The policy grants more than most programs need, or does not mean what it seems to.
  case warning
  /// The policy cannot work, or asks for what no policy may grant.
  case error

  /// Orders by weight.
  package static func < (a: FindingSeverity, b: FindingSeverity) -> Bool { a.weight < b.weight }

  /// The place in the order.
  private var weight: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}
