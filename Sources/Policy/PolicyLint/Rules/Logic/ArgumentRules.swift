// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy
internal import SystemCalls

/// Rules about conditions with a misleading appearance.
extension PolicyRule {
  /// The rule that finds conditions on arguments that a call does not have.
  static let noSuchArgument = PolicyRule(
    "DR2101",
    "no-such-argument",
    .warning,
    summary: "A condition compares an argument that the call does not have",
    justification:
      "The filter compares an arbitrary value that the program left in the register. The condition limits nothing, "
      + "and sometimes refuses a call that should be allowed.",
    remediation:
      "Count arguments from 0, as in syscalls(2); some calls have other arguments than their C library functions."
  ) { linted in
    linted.conditionHits { _, _, parameters in
      parameters.allSatisfy { $0 == nil } ? "does not exist" : nil
    }
  }

  /// The rule that finds conditions on addresses.
  static let pointerArgument = PolicyRule(
    "DR2102",
    "pointer-argument",
    .warning,
    summary: "A condition compares an address",
    justification:
      "A filter compares the address in the argument, not the memory at the address. The program chooses the "
      + "address, so the condition does not restrict the path, text or structure there.",
    remediation: "Remove the condition; \"readOnly\" determines which files a program can reach."
  ) { linted in
    linted.conditionHits { _, _, parameters in
      let isAddress = !parameters.isEmpty && parameters.allSatisfy { $0?.isAddress == true }
      return isAddress ? "is an address" : nil
    }
  }

  /// The rule that finds conditions on 64-bit numbers, of which only the lower half is compared.
  static let halfCompared = PolicyRule(
    "DR2103",
    "half-compared-argument",
    .note,
    summary: "A condition compares half of a 64-bit number",
    justification:
      "Only the lower 32 bits are compared. The kernel uses all 64 bits of a size or an offset, so a large number "
      + "can pass as a small number.",
    remediation:
      "Use a limit (\"fileSize\", \"memory\", \"addressSpace\") instead, which the kernel applies to the whole number."
  ) { linted in
    linted.conditionHits { _, _, parameters in
      let isWide = !parameters.isEmpty && parameters.allSatisfy { $0?.isWide == true }
      return isWide ? "has 64 bits, but only the lower 32 bits are compared" : nil
    }
  }

  /// The rule that finds conditions on descriptor numbers.
  static let descriptorArgument = PolicyRule(
    "DR2104",
    "descriptor-argument",
    .note,
    summary: "A condition compares a descriptor number",
    justification:
      "A descriptor number does not identify a file: dup2 can give any file any number.",
    remediation: "Remove the condition, unless no allowed call can change the file of the number."
  ) { linted in
    // The corresponding constant is AT_FDCWD, which is not a descriptor number.
    let currentDirectory: UInt32 = 0xFFFF_FF9C
    return linted.conditionHits { _, condition, parameters in
      let isDescriptor = !parameters.isEmpty && parameters.allSatisfy { $0?.kind == .descriptor }
      let isCurrentDirectory = condition.mask == .max && condition.value == currentDirectory
      return isDescriptor && !isCurrentDirectory ? "is a descriptor number" : nil
    }
  }
}

extension LintedPolicy {
  /// Returns a hit for each condition for which the predicate returns a message.
  ///
  /// The predicate gets the parameter on each architecture that has the call, or `nil` if the call has no
  /// such argument there. Calls without a known signature are omitted.
  fileprivate func conditionHits(
    _ predicate: (SyscallRule, ArgumentCondition, [CallParameter?]) -> String?
  ) -> [RuleHit] {
    documents.flatMap(\.allow).flatMap { rule in
      rule.conditions.compactMap { condition -> RuleHit? in
        let parameters = Self.parameters(rule, condition.index)
        guard !parameters.isEmpty, let words = predicate(rule, condition, parameters) else { return nil }
        let name = parameters.compactMap { $0?.name }.first.map { " (\($0))" } ?? ""
        let message = "argument \(condition.index)\(name) of \"\(rule.call)\" \(words)"
        return RuleHit(rule.call, rule.origin, message)
      }
    }
  }

  /// Returns the parameter of a call on each supported architecture that has the call.
  private static func parameters(_ rule: SyscallRule, _ index: Int) -> [CallParameter?] {
    var known: [UInt64?] = Array(repeating: nil, count: 6)
    for condition in rule.conditions where condition.mask == .max && known.indices.contains(condition.index) {
      known[condition.index] = UInt64(condition.value)
    }
    return [CallArchitecture.x86, .arm64].compactMap { architecture -> CallParameter?? in
      guard CallTable.of(architecture).number(of: rule.call) != nil,
        let signature = CallSignature.of(rule.call, on: architecture, arguments: known)
      else { return nil }
      return .some(signature.parameters.indices.contains(index) ? signature.parameters[index] : nil)
    }
  }
}

extension CallParameter {
  /// Whether the values of the parameter are addresses.
  fileprivate var isAddress: Bool { kind == .path || kind == .pointer }

  /// Whether the kernel reads all 64 bits of the parameter.
  fileprivate var isWide: Bool {
    kind == .size || kind == .number && ["offset", "length", "len"].contains(name)
  }
}

/// Rules about conditions that are always true.
extension PolicyRule {
  /// The rule that finds conditions with an empty mask.
  static let emptyComparison = PolicyRule(
    "DR2005",
    "empty-comparison",
    .warning,
    summary: "A condition compares no bits",
    justification: "The condition is always true, but a reader believes that the call is limited.",
    remediation: "Set the relevant bits in the mask, or remove the condition."
  ) { linted in
    linted.documents.flatMap(\.allow).flatMap { rule in
      rule.conditions.filter { $0.mask == 0 }.map { condition in
        RuleHit(
          rule.call,
          rule.origin,
          "the condition on argument \(condition.index) of \"\(rule.call)\" compares no bits"
        )
      }
    }
  }
}
