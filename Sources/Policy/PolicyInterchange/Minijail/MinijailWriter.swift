// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import SandboxPolicy
internal import SystemCalls

/// A writer of policies in the syntax of minijail0.
package enum MinijailWriter {
  /// The result of an export.
  package struct Output: Sendable {
    /// The text of the policy.
    package var text: String
    /// The number of instructions that libminijail compiles from the text.
    package var instructions: Int
    /// The differences from the original policy.
    package var losses: [InterchangeLoss]
  }

  /// The maximum length of a program in instructions (`BPF_MAXINSNS`).
  package static let maximumInstructions = 4096
  /// The maximum number of labels in libminijail (`BPF_LABELS_MAX`).
  static let maximumLabels = 512
  /// The number of instructions outside the lines, which check the architecture, load the number and kill
  /// other calls.
  private static let fixedInstructions = 5

  /// Returns a policy as text.
  ///
  /// Every refused call has its own line, because libminijail kills the thread for a call without a line. If
  /// the program would be too long for libminijail, the longest lines compare whole arguments instead of
  /// lower halves.
  ///
  /// - Throws: ``MinijailSizeError`` if the program is too long in every form.
  package static func write(_ policy: ResolvedPolicy) throws(MinijailSizeError) -> Output {
    var lines = lines(of: policy)
    var excess = fixedInstructions + lines.reduce(0) { $0 + $1.instructions } - maximumInstructions
    for index in lines.indices.sorted(by: { lines[$0].savedInstructions > lines[$1].savedInstructions })
    where excess > 0 {
      excess -= lines[index].savedInstructions
      lines[index].shorten()
    }
    let labels = lines.reduce(0) { $0 + $1.labels }
    guard excess <= 0, labels <= maximumLabels else {
      throw MinijailSizeError(instructions: excess + maximumInstructions, labels: labels)
    }
    let head = "# Policy \(policy.name), written by Darkroom for \(CallArchitecture.native.rawValue)."
    let text = ([head] + lines.map(\.text)).joined(separator: "\n") + "\n"
    let loss = "calls of other architectures kill the thread instead of the process"
    return Output(
      text: text,
      instructions: excess + maximumInstructions,
      losses: [InterchangeLoss("", .differentAnswers(loss), .answer)]
    )
  }

  /// Returns one line for each native call.
  private static func lines(of policy: ResolvedPolicy) -> [MinijailLine] {
    let profile = CallProfile(policy)
    var allowed: [String: [[ArgumentComparison]]] = [:]
    var answers: [String: Verdict] = [:]
    for rule in profile.rules {
      for call in rule.calls {
        if rule.action.executesCall {
          allowed[call, default: []].append(rule.conditions)
        } else {
          answers[call] = rule.action
        }
      }
    }
    return CallTable.of(.native).names.map { call in
      MinijailLine(call, allowed: allowed[call] ?? [], otherwise: answers[call] ?? profile.defaultAction)
    }
  }
}

/// An error because a policy is too long for libminijail in every form.
package struct MinijailSizeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of instructions in the program.
  package var instructions: Int
  /// The number of labels that the program needs.
  package var labels: Int

  /// The numbers, both limits and the fix as text.
  package var description: String {
    "libminijail supports at most \(MinijailWriter.maximumInstructions) instructions and "
      + "\(MinijailWriter.maximumLabels) labels, but the policy needs \(instructions) and \(labels); use fewer "
      + "argument rules"
  }
}
