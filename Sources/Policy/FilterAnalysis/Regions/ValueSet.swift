// SPDX-License-Identifier: Apache-2.0

/// The values that an argument can have, in the shortest form.
package struct ValueSet: Sendable, Hashable {
  /// The described values.
  package var form: Form
  /// Whether the set contains the described values or all others.
  package var sense: Sense

  /// Creates a set.
  package init(form: Form, sense: Sense) {
    self.form = form
    self.sense = sense
  }

  /// A form of describing values.
  package enum Form: Sendable, Hashable {
    /// All 64 bits as an unsigned number, in one of these ranges.
    case ranges([ClosedRange<UInt64>])
    /// The lower 32 bits as an unsigned number, in one of these ranges; the upper half does not matter.
    case lowerHalf([ClosedRange<UInt32>])
    /// At least one of these comparisons holds.
    case masked([MaskedValue])

    /// The number of ranges or comparisons.
    var count: Int {
      switch self {
      case .ranges(let ranges): ranges.count
      case .lowerHalf(let ranges): ranges.count
      case .masked(let values): values.count
      }
    }
  }

  /// The relation between the set and the described values.
  package enum Sense: Sendable, Hashable {
    /// The set contains the described values.
    case inside
    /// The set contains all other values.
    case outside
  }

  /// A comparison of some bits.
  package struct MaskedValue: Sendable, Hashable {
    /// The compared bits.
    package var mask: UInt64
    /// The value that they must have.
    package var value: UInt64

    /// Creates a comparison.
    package init(mask: UInt64, value: UInt64) {
      self.mask = mask
      self.value = value
    }
  }

  /// Whether a value is in the set.
  package func contains(_ value: UInt64) -> Bool {
    let isDescribed =
      switch form {
      case .ranges(let ranges): ranges.contains { $0.contains(value) }
      case .lowerHalf(let ranges): ranges.contains { $0.contains(UInt32(truncatingIfNeeded: value)) }
      case .masked(let values): values.contains { value & $0.mask == $0.value }
      }
    return isDescribed == (sense == .inside)
  }
}
