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
  package private(set) var whole: [String] = []
  /// The rules with conditions, sorted by call.
  package private(set) var partial: [(call: String, conditions: [ArgumentCondition])] = []
  /// Whether the extension can execute programs.
  package private(set) var execute: ExecutePermission = .once
  /// The limit on open descriptors, or `nil` if the rule for execveat(2) does not imply one.
  package private(set) var descriptors: Int?

  /// The calls that must both be allowed without conditions for ``ExecutePermission/any``.
  private static let starting = ["execve", "execveat"]

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
    let permitted = try behavior.inputs { $0.isMade }
    let native = try permitted.intersection(space.architecture(CallArchitecture.native.auditNumber))
    let table = CallTable.of(.native)
    let rules = DraftRules(profile)
    var startable: Set<String> = []
    for name in table.names {
      guard let number = table.number(of: name) else { continue }
      let call = try space.numbers(number...number).intersection(
        space.architecture(CallArchitecture.native.auditNumber)
      )
      let set = try native.intersection(call)
      if set.isEmpty { continue }
      let isWhole = set == call
      if Self.starting.contains(name) {
        if isWhole { startable.insert(name) }
        if !isWhole, name == "execveat" { readStart(try rules.ways(name, set)) }
        continue
      }
      let ways = isWhole ? [BitConditions()] : try rules.ways(name, set)
      add(name, DraftRules.keepingCore(name, ways))
    }
    if startable.count == Self.starting.count { execute = .any }
  }

  /// Adds the alternatives of a call.
  private mutating func add(_ call: String, _ ways: [BitConditions]) {
    if ways.contains(BitConditions()) {
      whole.append(call)
    } else {
      partial += ways.map { (call, $0.ofPolicy) }
    }
  }

  /// Recognizes the execveat(2) rule that ``ExecutePermission/once`` produces, which executes one descriptor.
  private mutating func readStart(_ ways: [BitConditions]) {
    guard ways.count == 1, let way = ways.first else { return }
    let (number, flags) = (way.patterns[0], way.patterns[4])
    guard way.patterns.count == 2, let number, number.mask == .max,
      flags == BitPattern(mask: .max, value: ExecutePermission.emptyPathFlag),
      LimitName.descriptors.range.contains(Int(number.value))
    else { return }
    descriptors = Int(number.value)
  }

  /// Returns the policy document, including the resources that the other format specifies.
  package func document(
    name: String,
    description: String,
    _ surroundings: PolicySurroundings? = nil
  ) -> JSONValue {
    var beside = surroundings ?? PolicySurroundings()
    // The launcher executes the program by this descriptor number, so the limit must match.
    if let descriptors { beside.limits[.descriptors] = descriptors }
    let rules = partial.map { rule in
      JSONValue.object([
        "call": .string(rule.call), "arguments": .array(rule.conditions.map(Self.json)),
      ])
    }
    var members = [JSONValue.Member("name", .string(name))]
    if !description.isEmpty { members.append(.init("description", .string(description))) }
    members.append(
      .init("syscalls", .object([.init("allow", .array(whole.map { .string($0) } + rules))]))
    )
    return .object(members + beside.members + [.init("execute", .string(execute.rawValue))])
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
