// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import SandboxPolicy
internal import SystemCalls

/// Writes policies as minijail0 reads them.
package enum MinijailWriter {
  /// A policy as text.
  package struct Written: Sendable {
    /// The text.
    package var text: String
    /// How many instructions libminijail makes of the text.
    package var instructions: Int
    /// What the text does not say.
    package var losses: [InterchangeLoss]
  }

  /// The most instructions of a program (`BPF_MAXINSNS`).
  package static let mostInstructions = 4096
  /// The most labels of libminijail (`BPF_LABELS_MAX`).
  static let mostLabels = 512
  /// The instructions beside those of lines: the architecture is checked, the number is loaded, and other calls are killed.
  private static let frame = 5

  /// The policy as text, and what it does not say.
  ///
  /// Every call that is refused has a line with its answer, because libminijail ends the thread of a call without a line. Where
  /// the program would be too long for libminijail, the longest lines compare whole arguments instead of lower halves.
  package static func write(_ policy: ResolvedPolicy) throws(MinijailSizeError) -> Written {
    var lines = lines(of: policy)
    var excess = frame + lines.reduce(0) { $0 + $1.instructions } - mostInstructions
    for index in lines.indices.sorted(by: { lines[$0].saving > lines[$1].saving }) where excess > 0 {
      excess -= lines[index].saving
      lines[index].shorten()
    }
    let labels = lines.reduce(0) { $0 + $1.labels }
    guard excess <= 0, labels <= mostLabels else {
      throw MinijailSizeError(instructions: excess + mostInstructions, labels: labels)
    }
    let head = "# The policy \(policy.name), written by darkroom for \(CallArchitecture.native.rawValue)."
    let text = ([head] + lines.map(\.text)).joined(separator: "\n") + "\n"
    let loss = "calls of other architectures end the thread, and not the process"
    return Written(
      text: text,
      instructions: excess + mostInstructions,
      losses: [InterchangeLoss("", .answers(loss), .answer)]
    )
  }

  /// A line for each call.
  private static func lines(of policy: ResolvedPolicy) -> [MinijailLine] {
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
    return CallTable.of(.native).names.map { call in
      MinijailLine(call, allowed: allowed[call] ?? [], otherwise: answers[call] ?? profile.defaultAction)
    }
  }
}

/// A policy whose program is too long for libminijail in every form.
package struct MinijailSizeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// How many instructions the program has.
  package var instructions: Int
  /// How many labels the program needs.
  package var labels: Int

  /// A sentence with both bounds, and what to do.
  package var description: String {
    "libminijail takes \(MinijailWriter.mostInstructions) instructions and \(MinijailWriter.mostLabels) labels at most, and the "
      + "policy comes to \(instructions) and \(labels); use fewer argument rules"
  }
}
