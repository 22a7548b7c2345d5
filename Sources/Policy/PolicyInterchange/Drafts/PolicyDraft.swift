// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import JSONText
package import SandboxPolicy
internal import SystemCalls

/// A policy as it is worked out from what another format says of calls on the native architecture.
///
/// It allows no call that the other did not, but for the upper halves of arguments that the kernel does not read, and for
/// the call that starts the extension. What it allows less is for ``PolicyImport`` to tell.
package struct PolicyDraft: Sendable {
  /// The calls that are allowed whatever their arguments, sorted.
  package private(set) var whole: [String] = []
  /// The rules with conditions, in the order of their calls.
  package private(set) var partial: [(call: String, conditions: [ArgumentCondition])] = []
  /// Whether programs can be started.
  package private(set) var execute: ExecutePermission = .once
  /// The number of descriptors, where the way in which programs are started decides it.
  package private(set) var descriptors: Int?

  /// The calls that must both be allowed for ``ExecutePermission/any``.
  private static let starting = ["execve", "execveat"]

  /// Works a policy out.
  ///
  /// The profile, where there is one, is what the behavior is that of: its rules are kept as they were written.
  package init(_ behavior: FilterBehavior, of profile: CallProfile?) throws(AnalysisError) {
    let space = behavior.space
    // A call that a tracer or a supervisor decides about is not allowed: a session has neither of them.
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

  /// Adds the ways of a call.
  private mutating func add(_ call: String, _ ways: [BitConditions]) {
    if ways.contains(BitConditions()) {
      whole.append(call)
    } else {
      partial += ways.map { (call, $0.ofPolicy) }
    }
  }

  /// Recognises the one call that starts a program by its descriptor, as ``ExecutePermission/once`` has it.
  private mutating func readStart(_ ways: [BitConditions]) {
    guard ways.count == 1, let way = ways.first else { return }
    let (number, flags) = (way.patterns[0], way.patterns[4])
    guard way.patterns.count == 2, let number, number.mask == .max,
      flags == BitPattern(mask: .max, value: ExecutePermission.emptyPathFlag),
      LimitName.descriptors.range.contains(Int(number.value))
    else { return }
    descriptors = Int(number.value)
  }

  /// The policy's document, with what the other format says beside calls.
  package func document(
    name: String,
    description: String,
    _ surroundings: PolicySurroundings? = nil
  ) -> JSONValue {
    var beside = surroundings ?? PolicySurroundings()
    // By this number the program is started.
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

  /// A condition as a document has it.
  private static func json(_ condition: ArgumentCondition) -> JSONValue {
    .object([
      "index": .integer(Int64(condition.index)),
      "mask": condition.mask == .max ? nil : .string("0x" + String(condition.mask, radix: 16)),
      "equals": .string("0x" + String(condition.value, radix: 16)),
    ])
  }
}
