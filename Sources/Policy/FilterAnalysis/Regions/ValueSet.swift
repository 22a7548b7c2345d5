// SPDX-License-Identifier: Apache-2.0

/// The values that an argument can have, in the form that is shortest to read.
package struct ValueSet: Sendable, Hashable {
  /// The values that are described.
  package var form: Form
  /// Whether they are the ones that are meant, or all others are.
  package var sense: Sense

  /// Makes a set.
  package init(form: Form, sense: Sense) {
    self.form = form
    self.sense = sense
  }

  /// How values are described.
  package enum Form: Sendable, Hashable {
    /// All 64 bits as a number, in one of these ranges.
    case ranges([ClosedRange<UInt64>])
    /// The lower 32 bits as a number, in one of these ranges; the upper half does not matter.
    case lowerHalf([ClosedRange<UInt32>])
    /// One of these comparisons holds.
    case masked([MaskedValue])

    /// How many parts there are to read.
    var count: Int {
      switch self {
      case .ranges(let ranges): ranges.count
      case .lowerHalf(let ranges): ranges.count
      case .masked(let values): values.count
      }
    }
  }

  /// Which values are meant.
  package enum Sense: Sendable, Hashable {
    /// Those that are described.
    case inside
    /// All but those.
    case outside
  }

  /// A comparison of some bits.
  package struct MaskedValue: Sendable, Hashable {
    /// The bits.
    package var mask: UInt64
    /// What they must be.
    package var value: UInt64

    /// Makes a comparison.
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
