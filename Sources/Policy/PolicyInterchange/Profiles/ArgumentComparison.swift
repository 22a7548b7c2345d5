// SPDX-License-Identifier: Apache-2.0

/// A comparison of one argument of a call, as a whole 64-bit number without a sign.
package struct ArgumentComparison: Sendable, Hashable {
  /// Which argument, from 0 to 5.
  package private(set) var index: Int
  /// How it is compared.
  package private(set) var operation: Operation
  /// What it is compared with; of a masked comparison only bits of the mask.
  package private(set) var value: UInt64

  /// Creates a comparison.
  ///
  /// Bits of `value` outside the mask of a masked comparison are cleared: libseccomp masks the datum, too.
  package init(_ index: Int, _ operation: Operation, _ value: UInt64) {
    self.index = index
    self.operation = operation
    self.value = if case .masked(let mask) = operation { value & mask } else { value }
  }

  /// The ways of comparing; all but the last are libseccomp's (`enum scmp_compare`).
  package enum Operation: Sendable, Hashable {
    /// The corresponding constant is `SCMP_CMP_EQ`.
    case equal
    /// The corresponding constant is `SCMP_CMP_NE`.
    case notEqual
    /// The corresponding constant is `SCMP_CMP_LT`.
    case less
    /// The corresponding constant is `SCMP_CMP_LE`.
    case lessOrEqual
    /// The corresponding constant is `SCMP_CMP_GT`.
    case greater
    /// The corresponding constant is `SCMP_CMP_GE`.
    case greaterOrEqual
    /// These bits of the argument are the value. The corresponding constant is `SCMP_CMP_MASKED_EQ`.
    case masked(UInt64)
    /// Some bit of the value is set in the argument; minijail's `&`.
    case anyBit
  }

  /// Whether the comparison holds for every argument. libseccomp generates nothing for such a comparison.
  var isAlwaysTrue: Bool { operation == .masked(0) }

  /// The same comparison where only the lower 32 bits of an argument are looked at, as libseccomp has it for the
  /// architectures that it calls 32-bit.
  var narrowed: ArgumentComparison {
    var narrow = self
    narrow.value &= 0xFFFF_FFFF
    if case .masked(let mask) = operation { narrow.operation = .masked(mask & 0xFFFF_FFFF) }
    return narrow
  }
}

extension ArgumentComparison: CustomStringConvertible {
  /// `argument 1 == 0x5401`.
  package var description: String {
    let number = "0x\(String(value, radix: 16))"
    let name = "argument \(index)"
    return switch operation {
    case .equal: "\(name) == \(number)"
    case .notEqual: "\(name) != \(number)"
    case .less: "\(name) < \(number)"
    case .lessOrEqual: "\(name) <= \(number)"
    case .greater: "\(name) > \(number)"
    case .greaterOrEqual: "\(name) >= \(number)"
    case .masked(let mask): "\(name) & 0x\(String(mask, radix: 16)) == \(number)"
    case .anyBit: "\(name) & \(number) != 0"
    }
  }
}
