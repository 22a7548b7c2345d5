// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import PolicyExplanation
internal import SandboxAudit

/// The answers of a filter that is not a Darkroom policy.
struct FilterAnswerOutput {
  /// The argument that named the filter.
  let name: String
  /// The filter.
  let source: FilterSource
  /// The answers.
  let answers: FilterAnswers

  /// The text output: each answer once, with the calls that have the answer for all arguments first.
  var lines: [String] {
    var lines = ["\(name) is a \(source.kind)."]
    for (answer, entries) in groups {
      lines.append("")
      lines.append("\(answer):")
      let whole = entries.filter(\.isUnconditional)
      for (place, entries) in Self.grouped(whole, by: \.architectureText) {
        lines += Self.wrapped(entries.map(\.title).joined(separator: ", "), place)
      }
      for entry in entries where !entry.isUnconditional {
        lines.append("  \(entry.title) (\(entry.architectureText))  e.g. \(CallName.text(entry.witness))")
        for (index, condition) in entry.conditions.enumerated() {
          lines.append("      \(index == 0 ? "when" : "or") \(condition)")
        }
        if !entry.isComplete { lines.append("      or under other conditions, too many to list") }
      }
    }
    let assumptions = answers.assumptions.map(\.sentence)
    return lines + (assumptions.isEmpty ? [] : [""] + assumptions)
  }

  /// Returns the answers as JSON.
  func json(_ supervision: Supervision) -> JSONValue {
    .object(
      [.init("name", .string(name)), .init("kind", .string(source.kind))]
        + source.supervision(foreign: supervision).json + [
          .init("remarks", .array(source.remarks.map(JSONValue.string))),
          .init("answers", .array(answers.entries.map(Self.json))),
        ]
    )
  }

  private var groups: [(String, [BehaviorDifference])] {
    Self.grouped(answers.entries, by: \.before.text)
  }

  /// Returns the entries grouped by key, in the order of the first entry of each group.
  private static func grouped(
    _ entries: [BehaviorDifference],
    by key: (BehaviorDifference) -> String
  ) -> [(String, [BehaviorDifference])] {
    var groups: [(String, [BehaviorDifference])] = []
    for entry in entries {
      let key = key(entry)
      if let index = groups.firstIndex(where: { $0.0 == key }) {
        groups[index].1.append(entry)
      } else {
        groups.append((key, [entry]))
      }
    }
    return groups
  }

  private static func wrapped(_ text: String, _ place: String) -> [String] {
    var lines: [String] = []
    var line = "  on \(place):"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 100 {
        lines.append(line)
        line = "    \(word)"
      } else {
        line += " \(word)"
      }
    }
    return lines + [line]
  }

  private static func json(_ entry: BehaviorDifference) -> JSONValue {
    .object([
      "answer": .string(entry.before.text),
      "call": entry.call.map(JSONValue.string),
      "numbers": entry.call == nil ? .string(entry.title) : nil,
      "on": .string(entry.architectureText),
      "when": .array(entry.conditions.map(JSONValue.string)),
      "conditions": .array(entry.alternatives.map { .array($0.map(ConstraintOutput.json)) }),
      "abridged": entry.isComplete ? nil : true,
      "example": .string(CallName.text(entry.witness)),
    ])
  }
}
