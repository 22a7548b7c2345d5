// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import JSONText
internal import SystemCalls

/// A writer of profiles in the JSON of the Open Container Initiative's runtime specification, which Docker
/// and Podman also read.
package enum OCIWriter {
  /// Returns a profile as JSON, and the differences from the original.
  package static func write(_ profile: CallProfile) -> (document: JSONValue, losses: [InterchangeLoss]) {
    var losses: [InterchangeLoss] = []
    if profile.otherArchitectures != .killThread {
      let text = "a call of another architecture kills the thread instead of the process"
      losses.append(InterchangeLoss("", .differentAnswers(text), .answer))
    }
    let rules = profile.rules.filter { $0.action != profile.defaultAction }
    var entries: [JSONValue] = []
    for rule in rules {
      for part in parts(rule, &losses) { entries.append(entry(part)) }
    }
    let standard = OCINames.name(of: profile.defaultAction)
    let document = JSONValue.object([
      "defaultAction": .string(standard.name),
      "defaultErrnoRet": standard.number.map { .integer(Int64($0)) },
      "architectures": .array(profile.architectures.map { .string(OCINames.name(of: $0)) }),
      "syscalls": .array(entries),
    ])
    return (document, losses)
  }

  /// Splits a rule into rules that libseccomp accepts: at most one comparison for each argument, and no test
  /// for any of several bits.
  private static func parts(_ rule: CallProfile.Rule, _ losses: inout [InterchangeLoss]) -> [CallProfile.Rule]
  {
    var parts = [rule]
    parts[0].conditions = []
    for condition in rule.conditions {
      guard case .anyBit = condition.operation else {
        for index in parts.indices { parts[index].conditions.append(condition) }
        continue
      }
      let bits = (0..<64).map { UInt64(1) << UInt64($0) }.filter { condition.value & $0 != 0 }
      parts = parts.flatMap { part in
        bits.map { bit in
          var one = part
          one.conditions.append(ArgumentComparison(condition.index, .masked(bit), bit))
          return one
        }
      }
    }
    return parts.filter { part in
      let isRepeated = Set(part.conditions.map(\.index)).count < part.conditions.count
      guard isRepeated || part.conditions.contains(where: hasLargeNumber) else { return true }
      let consequence: InterchangeLoss.Consequence = part.action.executesCall ? .stricter : .weaker
      for call in part.calls {
        let matter = InterchangeLoss.Kind.difference(
          call: call,
          example: "if several comparisons of one argument hold, or a comparison with a number above 2^63"
        )
        losses.append(InterchangeLoss(part.location, matter, consequence))
      }
      return false
    }
  }

  /// Returns whether a comparison has a number above 2^63 - 1, which this JSON writer cannot represent.
  private static func hasLargeNumber(_ condition: ArgumentComparison) -> Bool {
    if case .masked(let mask) = condition.operation, mask >> 63 != 0 { return true }
    return condition.value >> 63 != 0
  }

  /// Returns an entry of `syscalls`.
  private static func entry(_ rule: CallProfile.Rule) -> JSONValue {
    let action = OCINames.name(of: rule.action)
    return .object([
      "names": .array(rule.calls.map { .string($0) }),
      "action": .string(action.name),
      "errnoRet": action.number.map { .integer(Int64($0)) },
      "args": rule.conditions.isEmpty ? nil : .array(rule.conditions.map(comparison)),
    ])
  }

  /// Returns an element of `args`.
  private static func comparison(_ condition: ArgumentComparison) -> JSONValue {
    func number(_ value: UInt64) -> JSONValue { .integer(Int64(clamping: value)) }
    if case .masked(let mask) = condition.operation {
      return .object([
        "index": .integer(Int64(condition.index)), "value": number(mask), "valueTwo": number(condition.value),
        "op": "SCMP_CMP_MASKED_EQ",
      ])
    }
    let name = OCINames.operations.first { $0.value == condition.operation }?.key ?? "SCMP_CMP_EQ"
    return .object([
      "index": .integer(Int64(condition.index)), "value": number(condition.value), "op": .string(name),
    ])
  }
}
