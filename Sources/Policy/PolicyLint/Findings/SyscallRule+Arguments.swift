// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension SyscallRule {
  /// Whether the rule lets calls through whose argument has all of these bits set.
  func admits(_ bits: UInt32, inArgument index: Int) -> Bool {
    conditions.allSatisfy { $0.index != index || $0.mask & bits & ~$0.value == 0 }
  }

  /// The only value that an argument may have; nil if it may have several.
  func onlyValue(ofArgument index: Int) -> UInt32? {
    conditions.first { $0.index == index && $0.mask == .max }?.value
  }

  /// The rule as people write it, for messages.
  var inWords: String {
    conditions.isEmpty
      ? "\"\(call)\"" : "\"\(call)\" with " + conditions.map(\.description).joined(separator: " and ")
  }
}
