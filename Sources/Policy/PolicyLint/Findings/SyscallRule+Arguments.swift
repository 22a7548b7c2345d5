// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension SyscallRule {
  /// Returns whether the rule allows an argument in which all of these bits are set.
  func admits(_ bits: UInt32, inArgument index: Int) -> Bool {
    conditions.allSatisfy { $0.index != index || $0.mask & bits & ~$0.value == 0 }
  }

  /// Returns the only allowed value of an argument, or `nil` if several values are allowed.
  func onlyValue(ofArgument index: Int) -> UInt32? {
    conditions.first { $0.index == index && $0.mask == .max }?.value
  }

  /// The rule as text, for messages.
  var quotedText: String {
    conditions.isEmpty
      ? "\"\(call)\"" : "\"\(call)\" with " + conditions.map(\.description).joined(separator: " and ")
  }
}
