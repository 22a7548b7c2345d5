// SPDX-License-Identifier: Apache-2.0

/// A readable part of a set of calls: architectures, numbers and conditions on arguments.
package struct CallRegion: Sendable, Hashable {
  /// The architectures, by their `AUDIT_ARCH_…`.
  package var architectures: [ClosedRange<UInt32>]
  package var numbers: [ClosedRange<UInt32>]
  /// The alternative conditions under which a call with these numbers is in the set.
  ///
  /// All constraints of an alternative must hold; two of them can restrict the same argument. An empty
  /// alternative matches calls with any arguments.
  package var alternatives: [[ArgumentConstraint]]
  /// Whether ``alternatives`` is complete; otherwise, it has only the first of too many alternatives.
  package var isComplete: Bool

  /// Creates a region.
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

/// A constraint on one argument or the instruction pointer.
package struct ArgumentConstraint: Sendable, Hashable {
  /// The constrained field.
  package var field: Field
  /// The allowed values.
  package var values: ValueSet

  /// Creates a constraint.
  package init(field: Field, values: ValueSet) {
    self.field = field
    self.values = values
  }

  /// A 64-bit field of a call.
  package enum Field: Sendable, Hashable {
    /// An argument, from 0 to 5.
    case argument(Int)
    /// The address of the calling instruction.
    case instructionPointer
  }
}
