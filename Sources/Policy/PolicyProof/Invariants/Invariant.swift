// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
package import SystemCalls

/// Something that holds under every policy: calls that are never made.
package struct Invariant: Sendable, Hashable {
  /// Its name, for example `no-network`.
  package var name: String
  /// Why it holds, in a sentence.
  package var reason: String
  /// The calls.
  package var forbidden: [ForbiddenCalls]
  /// Where it is written.
  package var origin: PolicyOrigin

  /// States an invariant.
  package init(name: String, reason: String, forbidden: [ForbiddenCalls], origin: PolicyOrigin) {
    self.name = name
    self.reason = reason
    self.forbidden = forbidden
    self.origin = origin
  }
}

/// Calls that are never made, under some conditions or any.
package struct ForbiddenCalls: Sendable, Hashable {
  /// The calls.
  package var subject: Subject
  /// They are forbidden only where all of this holds of the arguments.
  package var when: [InvariantCondition] = []
  /// They are not forbidden where all of this holds of the arguments; empty: they are forbidden all the same.
  package var unless: [InvariantCondition] = []

  /// Which calls.
  package enum Subject: Sendable, Hashable {
    /// One call, by the number that it has on each architecture.
    case call(String)
    /// Every number of an architecture.
    case every(CallArchitecture)
    /// The numbers of an architecture that mean nothing.
    case unknown(CallArchitecture)
  }

  /// Names calls.
  package init(_ subject: Subject, when: [InvariantCondition] = [], unless: [InvariantCondition] = []) {
    self.subject = subject
    self.when = when
    self.unless = unless
  }
}

/// A condition on an argument: masked, it is one of some values.
package struct InvariantCondition: Sendable, Hashable {
  /// Which argument, from 0 to 5.
  package var index: Int
  /// The bits that are compared.
  package var mask: UInt64
  /// What they can be.
  package var values: [UInt64]

  /// Makes a condition.
  package init(index: Int, mask: UInt64, values: [UInt64]) {
    self.index = index
    self.mask = mask
    self.values = values
  }
}
