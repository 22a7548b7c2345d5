// SPDX-License-Identifier: Apache-2.0

/// A comparison of an argument of a call with an unsigned 64-bit number.
package struct ArgumentComparison: Sendable, Hashable {
  /// The index of the argument, from 0 to 5.
  package private(set) var index: Int
  /// The comparison operator.
  package private(set) var operation: Operation
  /// The number to compare with. A masked comparison has only bits of its mask here.
  package private(set) var value: UInt64

  /// Creates a comparison.
  ///
  /// Bits of `value` outside the mask of a masked comparison are cleared, as in libseccomp.
  package init(_ index: Int, _ operation: Operation, _ value: UInt64) {
    self.index = index
    self.operation = operation
    self.value = if case .masked(let mask) = operation { value & mask } else { value }
  }

  /// A comparison operator. All except the last correspond to libseccomp's `enum scmp_compare`.
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
    /// The masked bits of the argument equal the value. The corresponding constant is `SCMP_CMP_MASKED_EQ`.
    case masked(UInt64)
    /// Any bit of the value is set in the argument. The corresponding operator of minijail is `&`.
    case anyBit
  }

  /// Whether the comparison is true for every argument. libseccomp generates no code for such a comparison.
  var isAlwaysTrue: Bool { operation == .masked(0) }

  /// The comparison of only the lower 32 bits, as libseccomp does for the architectures that it treats as
  /// 32-bit.
  var narrowed: ArgumentComparison {
    var narrow = self
    narrow.value &= 0xFFFF_FFFF
    if case .masked(let mask) = operation { narrow.operation = .masked(mask & 0xFFFF_FFFF) }
    return narrow
  }
}

extension ArgumentComparison: CustomStringConvertible {
  /// The comparison as text, such as `argument 1 == 0x5401`.
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
