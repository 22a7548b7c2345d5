// SPDX-License-Identifier: Apache-2.0

/// A rule that allows a system call.
package struct SyscallRule: Sendable, Hashable {
  /// The call's name in the kernel's table.
  package var call: String
  /// The conditions on the arguments; all of them must hold. If empty, the call is allowed with any
  /// arguments.
  package var conditions: [ArgumentCondition]
  /// The position of the rule in the policy.
  package var origin: PolicyOrigin
  /// The group that the document names and that has the call as a member, or `nil` if the document names the
  /// call itself.
  package var group: String?

  /// Creates a rule.
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

/// A condition on one argument: its masked bits equal a value.
///
/// Only the lower 32 bits are compared, because the kernel reads flags and requests as 32-bit numbers. A
/// comparison of all 64 bits would treat two requests as different that are the same to the kernel.
package struct ArgumentCondition: Sendable, Hashable {
  /// The argument's index, from 0 to 5.
  package var index: Int
  /// The bits that are compared.
  package var mask: UInt32
  /// The value that they must have.
  package var value: UInt32

  /// Creates a condition.
  package init(index: Int, mask: UInt32 = .max, value: UInt32) {
    self.index = index
    self.mask = mask
    self.value = value
  }

  /// Whether the condition holds for the arguments of a call. Missing arguments count as zero.
  package func holds(for arguments: [UInt64]) -> Bool {
    let argument = arguments.indices.contains(index) ? UInt32(truncatingIfNeeded: arguments[index]) : 0
    return argument & mask == value
  }
}

extension ArgumentCondition: CustomStringConvertible {
  /// The condition as text, for example `argument 1 & 0xffffffff == 0x5401`.
  package var description: String {
    "argument \(index) & 0x\(String(mask, radix: 16)) == 0x\(String(value, radix: 16))"
  }
}
