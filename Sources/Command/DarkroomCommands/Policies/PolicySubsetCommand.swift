// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SandboxAudit
internal import SandboxPolicy

/// `darkroom policy subset`: tests whether a policy allows nothing that another policy does not.
package enum PolicySubsetCommand: Command {
  /// The argument for the smaller policy.
  private static let inner = ArgumentSpec(
    "INNER",
    .one,
    FilterArgument.value,
    help: "The smaller filter: \(FilterArgument.help)"
  )
  /// The argument for the larger policy.
  private static let outer = ArgumentSpec(
    "OUTER",
    .one,
    FilterArgument.value,
    help: "The larger filter"
  )

  package static let spec = CommandSpec(
    "subset",
    summary: "Test whether a policy stays within another policy",
    discussion: """
      The command compares the calls for all arguments and, of two policies, the paths, devices, limits and \
      layers. It prints the first call that INNER allows and OUTER does not; 'darkroom policy diff OUTER INNER' \
      prints all of them. A call that a filter of another program passes to a supervisor (USER_NOTIF) or tracer \
      (TRACE) counts as allowed.
      """,
    options: SupervisionOptions.all,
    arguments: [inner, outer],
    examples: [ExampleSpec("darkroom policy subset mine.json base", "Test that a policy stays within base")],
    exitCodes: [
      ExitCode.success("INNER allows nothing that OUTER does not"),
      ExitCode.checkFailed.when("INNER allows something that OUTER does not"), ExitCode.invalidPolicy,
      ExitCode.unknownFilter, ExitCode.breach.when("The filters could not be compared"),
      ExitCode.unreadableFilter,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let names = (parsed.value(of: inner) ?? "", parsed.value(of: outer) ?? "")
    guard names != ("-", "-") else {
      throw CommandFailure(.usage, "standard input can be read only once; give a file for INNER or OUTER")
    }
    let inner = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try FilterSource.find(names.0)
    }
    let outer = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try FilterSource.find(names.1)
    }
    for (name, source) in [(names.0, inner), (names.1, outer)] {
      for remark in source.remarks { console.note(TextTable.printable("darkroom: \(name): \(remark)")) }
    }
    let result = try CommandFailure.mappingFilterErrors { () throws(FilterSourceError) in
      try FilterContainment(
        of: NamedFilter(name: names.0, source: inner),
        in: NamedFilter(name: names.1, source: outer),
        under: SupervisionOptions.supervision(parsed)
      )
    }
    let (call, sandbox) = (result.call, result.sandbox)
    if parsed.has(CommonOptions.json) {
      console.print(
        .object([
          "subset": .bool(result.isSubset), "call": call.map(JSONValue.string) ?? .null,
          "sandbox": .array(
            (sandbox ?? []).map { difference in
              let words = SandboxDifferenceText(difference)
              return [
                "subject": .string(words.subject), "outer": .string(words.old), "inner": .string(words.new),
              ]
            }
          ),
        ])
      )
    } else {
      for line in lines(names, call, sandbox) { console.print(TextTable.printable(line)) }
    }
    return result.isSubset ? 0 : ExitCode.checkFailed.rawValue
  }

  /// Returns the result as text.
  private static func lines(
    _ names: (String, String),
    _ call: String?,
    _ sandbox: [SandboxDifference]?
  ) -> [String] {
    guard let sandbox else {
      return [
        call.map { "\(names.0) is not a subset of \(names.1): \(names.0) allows the call \($0)" }
          ?? "\(names.0) is a subset of \(names.1): \(names.0) allows no additional call (proved). "
          + "Only system calls were compared, because not both inputs are policies."
      ]
    }
    guard call != nil || !sandbox.isEmpty else {
      return [
        "\(names.0) is a subset of \(names.1): \(names.0) allows no additional call, path or device, no larger amount "
          + "and no other missing layer (proved)."
      ]
    }
    return ["\(names.0) is not a subset of \(names.1):"]
      + (call.map { ["  additional call: \($0)"] } ?? [])
      + sandbox.map { difference in
        let words = SandboxDifferenceText(difference)
        return "  \(words.subject): \(words.new) instead of \(words.old)"
      }
  }
}
