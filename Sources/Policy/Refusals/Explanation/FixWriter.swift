// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy
internal import SystemCalls

/// A writer of policy changes that allow a refused call.
struct FixWriter {
  /// The name of the call.
  let call: String
  /// The arguments of the call.
  let arguments: [UInt64]
  /// The policy that refuses the call.
  let policy: ResolvedPolicy

  /// The argument that selects the operation of a call. A rule without it would allow all operations.
  private static let selectors: [String: Int] = ["prctl": 0, "fcntl": 1]

  /// Returns the change for a refusal, or `nil` if no policy can allow the call.
  func fix(for origin: RefusalOrigin, caveat: String?, directory: String?) -> PolicyFix? {
    var fix = change(for: origin, caveat)
    fix?.directory = directory
    return fix
  }

  /// Returns the change for a refusal without its directory.
  private func change(for origin: RefusalOrigin, _ caveat: String?) -> PolicyFix? {
    switch origin {
    case .core, .unknown, .elsewhere: nil
    case .denied(let lines): fix(forDenials: lines, caveat)
    case .execution: policy.fix([.init("execute", "any")], caveat: caveat)
    case .otherArguments, .unlisted:
      rule.map { policy.fix(Self.addition($0), caveat: caveat) }
    }
  }

  /// Returns the change for denials. A denial overrides every grant, so it must be removed, or the policy
  /// must be copied without it.
  private func fix(forDenials lines: [PolicyOrigin], _ caveat: String?) -> PolicyFix? {
    let name: String
    switch policy.extensibility {
    case .document(let path) where lines.allSatisfy({ $0.source == path }):
      // The documents may not allow the call apart from the denial.
      let isAllowed = policy.documents.flatMap(\.allow).contains { rule in
        rule.call == call && rule.conditions.allSatisfy { $0.holds(for: arguments) }
      }
      let addition = isAllowed ? nil : rule.map(Self.addition)
      guard isAllowed || addition != nil else { return nil }
      return PolicyFix(target: .lines(lines), json: addition.map(JSONValue.object), caveat: caveat)
    case .document(let path): name = path
    case .named: name = policy.name
    }
    return rule.map {
      PolicyFix(target: .copy(of: name), json: .object(Self.addition($0)), caveat: caveat)
    }
  }

  /// Returns the members to add to a document for a rule.
  private static func addition(_ rule: SyscallRule) -> [JSONValue.Member] {
    [.init("syscalls", .object([.init("allow", .array([json(rule)]))]))]
  }

  /// The narrowest rule that allows the call with these arguments, or `nil` if the policy core permits none.
  var rule: SyscallRule? {
    let existing = policy.rules(for: call).map(\.conditions).filter { !$0.isEmpty }
    let comparisonSets = Set(existing.map { Set($0.map { Comparison(index: $0.index, mask: $0.mask) }) })
    let rules = (comparisonSets.isEmpty ? [defaultShape] : Array(comparisonSets)).map { comparisons in
      rule(comparisons.sorted { $0.index < $1.index })
    }
    // The order is deterministic for rules that compare the same number of bits, because refusals are
    // compared by their text.
    return rules.filter { PolicyCore.violation(of: $0) == nil }
      .min { Self.rank($0) < Self.rank($1) }
  }

  private static func rank(_ rule: SyscallRule) -> (Int, Int) {
    let bits = rule.conditions.map(\.mask.nonzeroBitCount).reduce(0, +)
    return (-bits, rule.conditions.first?.index ?? 0)
  }

  /// A comparison without its value.
  private struct Comparison: Hashable {
    var index: Int
    var mask: UInt32
  }

  /// The comparisons of a rule if the policy has no rule for the call.
  private var defaultShape: Set<Comparison> {
    if let requirement = PolicyCore.requirements[call] {
      return Set(
        requirement.limits.map { limit in
          switch limit.kind {
          case .among(_, let bits): Comparison(index: limit.index, mask: bits)
          case .noneOf: Comparison(index: limit.index, mask: .max)
          }
        }
      )
    }
    return Self.selectors[call].map { [Comparison(index: $0, mask: .max)] } ?? []
  }

  private func rule(_ comparisons: [Comparison]) -> SyscallRule {
    let conditions = comparisons.map { comparison in
      let argument = arguments.indices.contains(comparison.index) ? arguments[comparison.index] : 0
      return ArgumentCondition(
        index: comparison.index,
        mask: comparison.mask,
        value: UInt32(truncatingIfNeeded: argument) & comparison.mask
      )
    }
    return SyscallRule(call: call, conditions: conditions, origin: policy.executeOrigin)
  }
}

// MARK: - In the words of the grammar

extension FixWriter {
  /// Returns a rule as an element of `allow`.
  static func json(_ rule: SyscallRule) -> JSONValue {
    guard !rule.conditions.isEmpty else { return .string(rule.call) }
    let arguments = rule.conditions.map { condition in
      JSONValue.object([
        "index": .integer(Int64(condition.index)),
        "mask": condition.mask == .max ? nil : .string(bits(condition.mask, rule.call, condition.index)),
        "equals": value(condition, rule.call),
      ])
    }
    return .object([.init("call", .string(rule.call)), .init("arguments", .array(arguments))])
  }

  private static func value(_ condition: ArgumentCondition, _ call: String) -> JSONValue {
    guard condition.value != 0 else { return 0 }
    guard condition.mask == .max else { return .string(bits(condition.value, call, condition.index)) }
    let name = ConditionText(call: call, condition: condition).value(condition.value)
    // Only names in the policy grammar with the same value are used.
    return .string(
      ConstantTable.narrowValue(of: name) == condition.value ? name : hexadecimal(condition.value)
    )
  }

  /// Returns the names of bits in the policy grammar, or a hexadecimal number if a bit has no name.
  private static func bits(_ bits: UInt32, _ call: String, _ index: Int) -> String {
    let condition = ArgumentCondition(index: index, mask: bits, value: 0)
    let names = ConditionText(call: call, condition: condition).value(.max)
    let values = names.split(separator: "|").map { ConstantTable.narrowValue(of: String($0)) }
    let isKnown = !values.contains(nil) && values.compactMap(\.self).reduce(0, |) == bits
    return isKnown ? names : hexadecimal(bits)
  }

  private static func hexadecimal(_ value: UInt32) -> String { ArgumentText.hexadecimal(UInt64(value)) }
}

extension ResolvedPolicy {
  /// Returns the change that adds members to the policy.
  func fix(_ members: [JSONValue.Member], caveat: String? = nil) -> PolicyFix {
    switch extensibility {
    case .document(let path):
      PolicyFix(target: .document(path), json: .object(members), caveat: caveat)
    case .named:
      PolicyFix(
        target: .extending(name),
        json: .object(
          // Policy names have at most 64 characters.
          [.init("name", .string("my-" + name.prefix(61))), .init("extends", .string(name))] + members
        ),
        caveat: caveat
      )
    }
  }
}

extension SyscallRule {
  /// The rule as an element of `syscalls.allow`, with names of the policy grammar.
  package var element: JSONValue { FixWriter.json(self) }
}
