// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import PolicyExplanation
internal import SandboxAudit

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
      NamedFilter(
        name: word,
        source: try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
          try FilterSource.find(word)
        }
      )
    }
    let supervision = SupervisionOptions.supervision(parsed)
    let result: FilterComparison
    do throws(FilterSourceError) {
      result = try FilterComparison(old: sides[0], new: sides[1], under: supervision)
    } catch {
      if case .comparison = error { throw CommandFailure(.data, "\(error)") }
      throw CommandFailure(error)
    }
    for side in sides {
      for remark in side.source.remarks {
        console.note(TextTable.printable("darkroom: \(side.name): \(remark)"))
      }
    }
    let output = DiffOutput(old: sides[0], new: sides[1], foreign: supervision, console: console)
    if parsed.has(CommonOptions.json) { output.printJSON(result) } else { output.print(result) }
    return parsed.has(failIfWeaker) && result.isWeaker ? ExitCode.checkFailed.rawValue : 0
  }
}
