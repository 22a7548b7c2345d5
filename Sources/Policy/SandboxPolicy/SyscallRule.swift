// SPDX-License-Identifier: Apache-2.0

/// One way in which a system call is allowed.
package struct SyscallRule: Sendable, Hashable {
  /// The call's name, as the kernel's table has it.
  package var call: String
  /// What must hold of the arguments, all of it; empty allows the call whatever its arguments.
  package var conditions: [ArgumentCondition]
  /// Where the policy says so.
  package var origin: PolicyOrigin
  /// The group that stands there, of which the call is a member; nil where the call itself stands there.
  package var group: String?

  /// Makes a rule.
  package init(
    call: String,
    conditions: [ArgumentCondition] = [],
    origin: PolicyOrigin,
    group: String? = nil
  ) {
    self.call = call
    self.conditions = conditions
    self.origin = origin
    self.group = group
  }
}

/// A comparison of one argument: the argument, masked, equals a value.
///
/// Only the lower 32 bits can be compared: the kernel reads flags and requests as 32-bit numbers, so that a
/// comparison of all 64 bits would call a request unlike one that the kernel takes for the same.
package struct ArgumentCondition: Sendable, Hashable {
  /// Which argument, from 0 to 5.
  package var index: Int
  /// The bits that are compared.
  package var mask: UInt32
  /// What they must be.
  package var value: UInt32

  /// Makes a comparison.
  package init(index: Int, mask: UInt32 = .max, value: UInt32) {
    self.index = index
    self.mask = mask
    self.value = value
  }

  /// Whether it holds for the arguments of a call; arguments that are missing count as zero.
  package func holds(for arguments: [UInt64]) -> Bool {
    let argument = arguments.indices.contains(index) ? UInt32(truncatingIfNeeded: arguments[index]) : 0
    return argument & mask == value
  }
}

extension ArgumentCondition: CustomStringConvertible {
  /// `argument 1 & 0xffffffff == 0x5401`.
  package var description: String {
    "argument \(index) & 0x\(String(mask, radix: 16)) == 0x\(String(value, radix: 16))"
  }
}
