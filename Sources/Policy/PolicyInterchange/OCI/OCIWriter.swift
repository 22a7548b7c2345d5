// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import JSONText
internal import SystemCalls

/// Writes profiles as the Open Container Initiative's runtime specification has them, which Docker and Podman read, too.
package enum OCIWriter {
  /// The profile as JSON, and what it does not say.
  package static func write(_ profile: CallProfile) -> (document: JSONValue, losses: [InterchangeLoss]) {
    var losses: [InterchangeLoss] = []
    if profile.otherArchitectures != .killThread {
      let text = "a call of another architecture ends the thread, and not the process"
      losses.append(InterchangeLoss("", .answers(text), .answer))
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

  /// A rule as the rules that libseccomp takes: one comparison for each argument, and none with any of several bits.
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
      let consequence: InterchangeLoss.Consequence = part.action.isMade ? .stricter : .weaker
      for call in part.calls {
        let matter = InterchangeLoss.Matter.difference(
          call: call,
          example: "where several comparisons with one argument hold, or one with a number above 2^63"
        )
        losses.append(InterchangeLoss(part.place, matter, consequence))
      }
      return false
    }
  }

  /// Whether a comparison has a number that JSON written here does not have.
  private static func hasLargeNumber(_ condition: ArgumentComparison) -> Bool {
    if case .masked(let mask) = condition.operation, mask >> 63 != 0 { return true }
    return condition.value >> 63 != 0
  }

  /// An entry of `syscalls`.
  private static func entry(_ rule: CallProfile.Rule) -> JSONValue {
    let action = OCINames.name(of: rule.action)
    return .object([
      "names": .array(rule.calls.map { .string($0) }),
      "action": .string(action.name),
      "errnoRet": action.number.map { .integer(Int64($0)) },
      "args": rule.conditions.isEmpty ? nil : .array(rule.conditions.map(comparison)),
    ])
  }

  /// An element of `args`.
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
