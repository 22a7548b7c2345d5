// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import PolicyExplanation
internal import SandboxAudit
internal import SandboxPolicy

/// The output of a comparison.
struct DiffOutput {
  /// The policy or filter with which the new one is compared.
  let old: NamedFilter
  /// The policy or filter under review.
  let new: NamedFilter
  /// The auditor's statement about the processes that answer on behalf of foreign filters.
  let foreign: Supervision
  /// The console to which the output is written.
  let console: Console

  /// Prints the comparison as text: first the calls that only NEW allows, and last the verdict.
  func print(_ result: FilterComparison) {
    console.print(TextTable.printable("OLD is \(old.name), a \(old.source.kind)."))
    console.print(TextTable.printable("NEW is \(new.name), a \(new.source.kind)."))
    for direction in BehaviorDifference.Direction.allCases {
      print(result.calls.differences(direction), "\(direction.title)")
    }
    if let sandbox = result.sandbox, !sandbox.isEmpty { print(sandbox) }
    console.print("")
    for line in Self.verdict(result) { console.print(line) }
  }

  /// Prints the differences of one direction, grouped by answer, with a line for each call and each
  /// condition.
  private func print(_ differences: [BehaviorDifference], _ title: String) {
    guard !differences.isEmpty else { return }
    console.print("")
    console.print("\(title):")
    let width = min(Self.maximumTitleWidth, differences.map { Self.title($0).count }.max() ?? 0)
    for group in Self.groups(differences) {
      let answers = "\(group[0].before.text) -> \(group[0].after.text)"
      console.print("  \(answers) (\(group.count)):")
      for difference in group {
        let title = Self.title(difference)
        let space = String(repeating: " ", count: max(0, width - title.count))
        let line = "    \(title)\(space)  e.g. \(CallName.text(difference.witness))"
        console.print(TextTable.printable(line))
        for (index, condition) in difference.conditions.enumerated() where !difference.isUnconditional {
          console.print(TextTable.printable("        \(index == 0 ? "when" : "or") \(condition)"))
        }
        if !difference.isComplete { console.print("        or under other conditions, too many to list") }
      }
    }
  }

  /// The maximum width to which titles are padded, in characters.
  private static let maximumTitleWidth = 36

  /// Returns the title of a call, with its architecture if that is not the native one.
  private static func title(_ difference: BehaviorDifference) -> String {
    difference.call != nil && difference.isOnlyNative
      ? difference.title : "\(difference.title) (\(difference.architectureText))"
  }

  /// Returns the differences grouped by answer, in the order of the first difference of each group.
  private static func groups(_ differences: [BehaviorDifference]) -> [[BehaviorDifference]] {
    var groups: [[BehaviorDifference]] = []
    for difference in differences {
      let place = groups.firstIndex { $0[0].before == difference.before && $0[0].after == difference.after }
      if let place { groups[place].append(difference) } else { groups.append([difference]) }
    }
    return groups
  }

  /// Prints the differences other than system calls.
  private func print(_ differences: [SandboxDifference]) {
    console.print("")
    console.print("Apart from system calls (\(differences.count)):")
    var table = TextTable([.init("SUBJECT"), .init("OLD"), .init("NEW"), .init("EFFECT")])
    for difference in differences {
      let words = SandboxDifferenceText(difference)
      table.add([words.subject, words.old, words.new, words.meaning])
    }
    console.print(table)
  }

  /// Returns the verdict.
  private static func verdict(_ result: FilterComparison) -> [String] {
    var lines: [String] = []
    if result.calls.isEqual {
      lines.append(
        "Equal filters: both give the same answer for every architecture, number and argument (proved)."
      )
    } else {
      let weaker = result.calls.differences(.weaker).count
      let stricter = result.calls.differences(.stricter).count
      lines.append(
        weaker == 0
          ? "NEW allows no call that OLD does not (proved)."
          : "NEW is weaker: it allows calls that OLD does not (\(weaker) differences)."
      )
      if stricter > 0 { lines.append("NEW refuses calls that OLD allows (\(stricter) differences).") }
    }
    lines += result.assumptions.map(\.sentence)
    guard let sandbox = result.sandbox else {
      return lines + ["Only system calls were compared, because not both inputs are policies."]
    }
    let weaker = sandbox.count { $0.direction == .weaker }
    if weaker > 0 { lines.append("NEW is also weaker apart from system calls (\(weaker) differences).") }
    if sandbox.isEmpty { lines.append("Paths, devices, limits and layers are the same.") }
    return lines
  }

  /// Prints the comparison as JSON.
  func printJSON(_ result: FilterComparison) {
    let lists = BehaviorDifference.Direction.allCases.map { direction in
      JSONValue.Member(direction.rawValue, .array(result.calls.differences(direction).map(Self.json)))
    }
    console.print(
      .object([
        "old": Self.json(old, foreign),
        "new": Self.json(new, foreign),
        "equal": .bool(result.isEqual),
        "weaker": .bool(result.isWeaker),
        "calls": .object([.init("equal", .bool(result.calls.isEqual))] + lists),
        "sandbox": result.sandbox.map { .array($0.map(Self.json)) },
      ])
    )
  }

  private static func json(_ side: NamedFilter, _ foreign: Supervision) -> JSONValue {
    .object(
      [.init("name", .string(side.name)), .init("kind", .string(side.source.kind))]
        + side.source.supervision(foreign: foreign).json
        + [.init("remarks", .array(side.source.remarks.map(JSONValue.string)))]
    )
  }

  private static func json(_ difference: BehaviorDifference) -> JSONValue {
    .object([
      "call": difference.call.map(JSONValue.string),
      "numbers": difference.call == nil ? .string(difference.title) : nil,
      "on": .string(difference.architectureText),
      "when": .array(difference.conditions.map(JSONValue.string)),
      "abridged": difference.isComplete ? nil : true,
      "conditions": .array(
        difference.alternatives.map { .array($0.map(ConstraintOutput.json)) }
      ),
      "old": .string(difference.before.text),
      "new": .string(difference.after.text),
      "witness": json(difference.witness),
    ])
  }

  private static func json(_ call: SeccompData) -> JSONValue {
    .object([
      "text": .string(CallName.text(call)),
      "architecture": .string(hexadecimal(UInt64(call.architecture))),
      "number": .integer(Int64(call.number)),
      "arguments": .array(call.arguments.map { .string(hexadecimal($0)) }),
      "instructionPointer": .string(hexadecimal(call.instructionPointer)),
    ])
  }

  private static func json(_ difference: SandboxDifference) -> JSONValue {
    let words = SandboxDifferenceText(difference)
    return [
      "subject": .string(words.subject), "old": .string(words.old), "new": .string(words.new),
      "direction": .string(difference.direction.rawValue),
    ]
  }

  private static func hexadecimal(_ value: UInt64) -> String { "0x\(String(value, radix: 16))" }
}

extension BehaviorDifference.Direction {
  /// The heading above the differences of this direction.
  fileprivate var title: String {
    switch self {
    case .weaker: "NEW allows, OLD does not"
    case .stricter: "OLD allows, NEW does not"
    case .changed: "Answered differently"
    }
  }
}
