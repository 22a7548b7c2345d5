// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import FilterAnalysis
internal import PolicyExplanation
internal import PolicyInterchange
internal import SandboxAudit
internal import SandboxPolicy

/// `darkroom policy diff`: prints the differences between two policies or filters.
package enum PolicyDiffCommand: Command {
  /// The argument for the policy with which NEW is compared.
  private static let old = ArgumentSpec("OLD", .one, FilterArgument.value, help: FilterArgument.help)
  /// The argument for the policy under review.
  private static let new = ArgumentSpec(
    "NEW",
    .one,
    FilterArgument.value,
    help: "The policy or filter that is compared with OLD"
  )
  /// The flag that makes the command fail if NEW is weaker.
  private static let failIfWeaker = OptionSpec.flag(
    "fail-if-weaker",
    help: "Exit with \(ExitCode.checkFailed.rawValue) if NEW allows anything that OLD does not"
  )

  package static let spec = CommandSpec(
    "diff",
    summary: "Show the calls that only one of two policies allows",
    discussion: """
      The effects of the filters are compared, not their texts. Each difference is a call, the conditions on its \
      arguments, and an example. All other calls have the same result: this is proved for every architecture, \
      every call number and all values of all arguments. "is" compares the lower 32 bits of an argument, and "is \
      exactly" all 64 bits.

      A filter of another program can pass a call to a supervisor (USER_NOTIF) or a tracer (TRACE). Such a call \
      counts as allowed, because either can allow the call. If the supervisor or tracer is known to refuse every \
      call, add --notifications refused or --traces refused.

      The paths, devices, limits and layers of two policies are compared, too.
      """,
    options: [failIfWeaker] + SupervisionOptions.all,
    arguments: [old, new],
    examples: [
      ExampleSpec("darkroom policy diff strict base", "Show what base allows and strict does not"),
      ExampleSpec(
        "darkroom policy diff base camera.json --fail-if-weaker",
        "Reject a change that weakens a policy"
      ),
      ExampleSpec(
        "git show HEAD~1:camera.json | darkroom policy diff - camera.json",
        "Show the effect of the last change of a document"
      ),
    ],
    exitCodes: [
      ExitCode.success(
        "The comparison was made; with --fail-if-weaker, NEW allows nothing that OLD does not"
      ), ExitCode.checkFailed.when("With --fail-if-weaker: NEW is weaker than OLD"), ExitCode.invalidPolicy,
      ExitCode.unknownFilter, ExitCode.unreadableFilter,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let words = [parsed.value(of: old) ?? "", parsed.value(of: new) ?? ""]
    guard words != ["-", "-"] else {
      throw CommandFailure(.usage, "standard input can be read only once; give a file for OLD or NEW")
    }
    let sides = try words.map { word throws(CommandFailure) in
      DiffSide(
        name: word,
        source: try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
          try FilterSource.find(word)
        }
      )
    }
    let supervision = SupervisionOptions.supervision(parsed)
    let result = try DiffResult(old: sides[0], new: sides[1], foreign: supervision)
    for side in sides {
      for remark in side.source.remarks {
        console.note(TextTable.printable("darkroom: \(side.name): \(remark)"))
      }
    }
    let output = DiffOutput(console: console)
    if parsed.has(CommonOptions.json) { output.printJSON(result) } else { output.print(result) }
    return parsed.has(failIfWeaker) && result.isWeaker ? ExitCode.checkFailed.rawValue : 0
  }
}

/// One side of a comparison.
struct DiffSide {
  /// The argument that named the policy or filter.
  var name: String
  /// The policy or filter.
  var source: FilterSource
}

/// The result of a comparison.
struct DiffResult {
  /// The policy with which the new one is compared.
  let old: DiffSide
  /// The policy under review.
  let new: DiffSide
  /// The auditor's statement about the processes that answer on behalf of foreign filters.
  let foreign: Supervision
  /// The assumptions about the answers of other processes, one sentence each.
  let assumptions: [String]
  /// The differences in system calls.
  let calls: BehaviorComparison
  /// The differences other than system calls, or `nil` unless both sides are policies.
  let sandbox: [SandboxDifference]?

  /// Compares two sides. `foreign` is the auditor's statement about foreign filters.
  init(old: DiffSide, new: DiffSide, foreign: Supervision) throws(CommandFailure) {
    self.old = old
    self.new = new
    self.foreign = foreign
    let space = CallSpace()
    let behaviors = (
      try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try old.source.behavior(in: space, name: old.name)
      },
      try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
        try new.source.behavior(in: space, name: new.name)
      }
    )
    assumptions = foreign.assumptions(about: behaviors.0.verdicts + behaviors.1.verdicts)
    let before = SupervisedBehavior(behaviors.0, under: old.source.supervision(foreign: foreign))
    let after = SupervisedBehavior(behaviors.1, under: new.source.supervision(foreign: foreign))
    do { calls = try BehaviorComparison(before, after) } catch {
      throw CommandFailure(.data, "the filters could not be compared: \(error)")
    }
    sandbox = old.source.policy.flatMap { old in new.source.policy.map { old.sandboxDifferences(to: $0) } }
  }

  /// Whether there are no differences.
  var isEqual: Bool { calls.isEqual && sandbox?.isEmpty ?? true }

  /// Whether the new side allows anything that the old side does not.
  var isWeaker: Bool {
    !calls.differences(.weaker).isEmpty || sandbox?.contains { $0.direction == .weaker } ?? false
  }
}
