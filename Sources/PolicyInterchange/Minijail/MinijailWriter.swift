// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import SandboxPolicy
internal import SystemCalls

/// Writes policies as minijail0 reads them.
package enum MinijailWriter {
  /// The policy as text, and what it does not say.
  ///
  /// What minijail does not list ends the process, so every call that is refused is listed with its answer, too.
  package static func write(_ policy: ResolvedPolicy) -> (text: String, losses: [InterchangeLoss]) {
    let profile = CallProfile(policy)
    var allowed: [String: [[ArgumentComparison]]] = [:]
    var answers: [String: Verdict] = [:]
    for rule in profile.rules {
      for call in rule.calls {
        if rule.action.isMade {
          allowed[call, default: []].append(rule.conditions)
        } else {
          answers[call] = rule.action
        }
      }
    }
    var lines = ["# The policy \(policy.name), written by darkroom for \(CallArchitecture.native.rawValue)."]
    for call in CallTable.of(.native).names {
      let answer = answers[call] ?? profile.defaultAction
      guard let ways = allowed[call] else {
        lines.append("\(call): \(self.answer(answer))")
        continue
      }
      if ways.contains(where: \.isEmpty) {
        lines.append("\(call): 1")
      } else {
        let text = ways.map { $0.flatMap(comparisons).joined(separator: " && ") }.joined(separator: " || ")
        lines.append("\(call): \(text); \(self.answer(answer))")
      }
    }
    let text = "calls of other architectures end the thread, and not the process"
    return (lines.joined(separator: "\n") + "\n", [InterchangeLoss("", .answers(text), .answer)])
  }

  /// A refusal.
  private static func answer(_ verdict: Verdict) -> String {
    if case .errno(let number) = verdict { "return \(ErrorNames.name(of: number))" } else { "kill" }
  }

  /// A comparison of some bits: minijail can ask that one bit is set, and that none but some are.
  private static func comparisons(_ condition: ArgumentComparison) -> [String] {
    guard case .masked(let mask) = condition.operation else { return [] }
    let set = (0..<64).map { UInt64(1) << UInt64($0) }.filter { condition.value & $0 != 0 }
    let bits = set.map { "arg\(condition.index) & 0x\(String($0, radix: 16))" }
    let clear = mask & ~condition.value
    return bits + (clear == 0 ? [] : ["arg\(condition.index) in 0x\(String(~clear, radix: 16))"])
  }
}
