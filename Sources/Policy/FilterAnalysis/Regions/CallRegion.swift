// SPDX-License-Identifier: Apache-2.0

/// A part of a set of calls that a person can read: these architectures, these numbers, under these conditions.
package struct CallRegion: Sendable, Hashable {
  /// The architectures, by their `AUDIT_ARCH_…`.
  package var architectures: [ClosedRange<UInt32>]
  /// The numbers.
  package var numbers: [ClosedRange<UInt32>]
  /// The ways in which a call with these numbers is in the set: for each way what must hold, all of it, and of one
  /// argument perhaps in two conditions. A way without
  /// conditions is a call with any arguments.
  package var alternatives: [[ArgumentConstraint]]
  /// Whether ``alternatives`` are all ways, and not only the first of too many to read.
  package var isComplete: Bool

  /// Makes a region.
  package init(
    architectures: [ClosedRange<UInt32>],
    numbers: [ClosedRange<UInt32>],
    alternatives: [[ArgumentConstraint]],
    isComplete: Bool = true
  ) {
    self.architectures = architectures
    self.numbers = numbers
    self.alternatives = alternatives
    self.isComplete = isComplete
  }
}

/// What must hold of one part of a call.
package struct ArgumentConstraint: Sendable, Hashable {
  /// The part.
  package var field: Field
  /// Its values.
  package var values: ValueSet

  /// Makes a condition.
  package init(field: Field, values: ValueSet) {
    self.field = field
    self.values = values
  }

  /// A part of a call that has 64 bits.
  package enum Field: Sendable, Hashable {
    /// An argument, from 0 to 5.
    case argument(Int)
    /// Where the call is made.
    case instructionPointer
  }
}
