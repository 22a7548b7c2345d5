// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import JSONText
package import SandboxPolicy
internal import SystemCalls

/// A policy derived from the native calls of another format.
///
/// The draft allows no call that the original refuses, with two exceptions:
///
/// - the upper halves of arguments that the kernel does not read
/// - the call that starts the extension
///
/// ``PolicyImport`` reports which calls the draft refuses in addition.
package struct PolicyDraft: Sendable {
  /// The calls allowed with any arguments, sorted.
  package private(set) var unconditionalCalls: [String] = []
  /// The rules with conditions, sorted by call.
  package private(set) var conditionalRules: [(call: String, conditions: [ArgumentCondition])] = []
  /// Whether the extension can execute programs.
  package private(set) var execute: ExecutePermission = .once
  /// The limit on open descriptors, or `nil` if the rule for execveat(2) does not imply one.
  package private(set) var descriptors: Int?

  /// The calls that must both be allowed without conditions for ``ExecutePermission/any``.
  private static let executionCalls = ["execve", "execveat"]

  /// Creates a draft from the behavior of a filter.
  ///
  /// - Parameters:
  ///   - behavior: The behavior of the filter.
  ///   - profile: The profile with this behavior, or `nil` for a compiled filter. Its rules are kept as
  ///     written.
  /// - Throws: ``AnalysisError`` if the exact analysis exceeds its limits.
  package init(_ behavior: FilterBehavior, of profile: CallProfile?) throws(AnalysisError) {
    let space = behavior.space
    // Sessions have no tracer and no supervisor, so a call that either decides is not allowed.
    let permitted = try behavior.inputs { $0.executesCall }
    let native = try permitted.intersection(space.architecture(CallArchitecture.native.auditArchitecture))
    let table = CallTable.of(.native)
    let rules = DraftRules(profile)
    var startable: Set<String> = []
    for name in table.names {
      guard let number = table.number(of: name) else { continue }
      let call = try space.numbers(number...number).intersection(
        space.architecture(CallArchitecture.native.auditArchitecture)
      )
      let set = try native.intersection(call)
      if set.isEmpty { continue }
      let isWhole = set == call
      if Self.executionCalls.contains(name) {
        if isWhole { startable.insert(name) }
        if !isWhole, name == "execveat" { readLaunchCall(try rules.alternatives(name, set)) }
        continue
      }
      let alternatives = isWhole ? [BitConditions()] : try rules.alternatives(name, set)
      add(name, DraftRules.enforcingCore(name, alternatives))
    }
    if startable.count == Self.executionCalls.count { execute = .any }
  }

  /// Adds the alternatives of a call.
  private mutating func add(_ call: String, _ alternatives: [BitConditions]) {
    if alternatives.contains(BitConditions()) {
      unconditionalCalls.append(call)
    } else {
      conditionalRules += alternatives.map { (call, $0.argumentConditions) }
    }
  }

  /// Recognizes the execveat(2) rule that ``ExecutePermission/once`` produces, which executes one descriptor.
  private mutating func readLaunchCall(_ alternatives: [BitConditions]) {
    guard alternatives.count == 1, let alternative = alternatives.first else { return }
    let (number, flags) = (alternative.patterns[0], alternative.patterns[4])
    guard alternative.patterns.count == 2, let number, number.mask == .max,
      flags == BitPattern(mask: .max, value: ExecutePermission.emptyPathFlag),
      LimitName.descriptors.range.contains(Int(number.value))
    else { return }
    descriptors = Int(number.value)
  }

  /// Returns the policy document, including the resources that the other format specifies.
  package func document(
    name: String,
    description: String,
    _ resources: PolicyResources? = nil
  ) -> JSONValue {
    var resources = resources ?? PolicyResources()
    // The launcher executes the program by this descriptor number, so the limit must match.
    if let descriptors { resources.limits[.descriptors] = descriptors }
    let rules = conditionalRules.map { rule in
      JSONValue.object([
        "call": .string(rule.call), "arguments": .array(rule.conditions.map(Self.json)),
      ])
    }
    var members = [JSONValue.Member("name", .string(name))]
    if !description.isEmpty { members.append(.init("description", .string(description))) }
    members.append(
      .init("syscalls", .object([.init("allow", .array(unconditionalCalls.map { .string($0) } + rules))]))
    )
    return .object(members + resources.members + [.init("execute", .string(execute.rawValue))])
  }

  /// Returns a condition as a member of a policy document.
  private static func json(_ condition: ArgumentCondition) -> JSONValue {
    .object([
      "index": .integer(Int64(condition.index)),
      "mask": condition.mask == .max ? nil : .string("0x" + String(condition.mask, radix: 16)),
      "equals": .string("0x" + String(condition.value, radix: 16)),
    ])
  }
}
