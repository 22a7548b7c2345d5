// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
package import SystemCalls

/// A property of all policies: a set of calls that no filter permits.
package struct Invariant: Sendable, Hashable {
  /// The invariant's name, for example `no-network`.
  package var name: String
  /// The reason for the invariant, in one sentence.
  package var reason: String
  /// The calls that no filter permits.
  package var forbidden: [ForbiddenCalls]
  /// The position of the invariant in its document.
  package var origin: PolicyOrigin

  /// Creates an invariant.
  package init(name: String, reason: String, forbidden: [ForbiddenCalls], origin: PolicyOrigin) {
    self.name = name
    self.reason = reason
    self.forbidden = forbidden
    self.origin = origin
  }
}

/// Calls that no filter permits, with or without conditions on their arguments.
package struct ForbiddenCalls: Sendable, Hashable {
  /// The calls.
  package var subject: Subject
  /// The conditions under which the calls are forbidden; all of them must hold.
  package var when: [InvariantCondition] = []
  /// The conditions under which the calls are allowed; all of them must hold. If empty, there is no
  /// exception.
  package var unless: [InvariantCondition] = []

  /// The calls without regard to their arguments.
  package enum Subject: Sendable, Hashable {
    /// One call, by its number on each architecture.
    case call(String)
    /// All numbers of an architecture.
    case every(CallArchitecture)
    /// The unassigned numbers of an architecture.
    case unknown(CallArchitecture)
  }

  /// Creates a set of forbidden calls.
  package init(_ subject: Subject, when: [InvariantCondition] = [], unless: [InvariantCondition] = []) {
    self.subject = subject
    self.when = when
    self.unless = unless
  }
}

/// A condition on an argument: the masked argument has one of several values.
package struct InvariantCondition: Sendable, Hashable {
  /// The argument's index, from 0 to 5.
  package var index: Int
  /// The compared bits.
  package var mask: UInt64
  /// The possible values.
  package var values: [UInt64]

  /// Creates a condition.
  package init(index: Int, mask: UInt64, values: [UInt64]) {
    self.index = index
    self.mask = mask
    self.values = values
  }
}
