// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import SandboxPolicy

/// `darkroom policy subset`: whether one policy allows nothing that another does not.
package enum PolicySubsetCommand: Command {
  /// The smaller policy.
  private static let inner = ArgumentSpec(
    "INNER",
    .one,
    .choiceOrFile(PolicyFinder.shippedNames),
    help: "The policy that must allow nothing more"
  )
  /// The larger policy.
  private static let outer = ArgumentSpec(
    "OUTER",
    .one,
    .choiceOrFile(PolicyFinder.shippedNames),
    help: "The policy that INNER must stay within"
  )

  package static let spec = CommandSpec(
    "subset",
    summary: "Test whether a policy allows nothing that another one does not",
    discussion: """
      The command compares the calls of the compiled filters, for every argument, and the paths, devices, limits and \
      layers of the policies. The first call that shows the difference is printed; 'darkroom policy diff OUTER INNER' prints all, and also \
      takes filters from elsewhere.
      """,
    arguments: [inner, outer],
    examples: [
      ExampleSpec("darkroom policy subset mine.json base", "Test that a policy stays within base")
    ],
    exitCodes: [
      ExitCodeSpec("0", "INNER allows nothing that OUTER does not"),
      ExitCodeSpec("\(ExitCode.otherwise.rawValue)", "INNER allows something that OUTER does not"),
      ExitCodeSpec("\(ExitCode.data.rawValue)", "There are mistakes in a policy"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such policy or file"),
      ExitCodeSpec("\(ExitCode.breach.rawValue)", "The filters could not be compared"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let names = (parsed.word(of: inner) ?? "", parsed.word(of: outer) ?? "")
    let inner = try SessionCommands.policy(names.0).policy
    let outer = try SessionCommands.policy(names.1).policy
    let call = try CombinationProof().witness(allowedBy: inner, butNotBy: outer)
    let beside = outer.sandboxDifferences(to: inner).filter { $0.direction == .weaker }
    let isSubset = call == nil && beside.isEmpty
    if parsed.has(CommonOptions.json) {
      console.print(
        .object([
          "subset": .bool(isSubset), "call": call.map(JSONValue.string) ?? .null,
          "sandbox": .array(
            beside.map { difference in
              let words = SandboxDifferenceText(difference)
              return [
                "what": .string(words.subject), "outer": .string(words.old), "inner": .string(words.new),
              ]
            }
          ),
        ])
      )
    } else {
      for line in lines(names, call, beside) { console.print(TextTable.printable(line)) }
    }
    return isSubset ? 0 : ExitCode.otherwise.rawValue
  }

  /// The result for people.
  private static func lines(
    _ names: (String, String),
    _ call: String?,
    _ beside: [SandboxDifference]
  ) -> [String] {
    guard call != nil || !beside.isEmpty else {
      return [
        "\(names.0) is a subset of \(names.1): it allows no call, path, device, amount or missing layer more (proved)."
      ]
    }
    return ["\(names.0) is not a subset of \(names.1):"]
      + (call.map { ["  it allows the call \($0)"] } ?? [])
      + beside.map { difference in
        let words = SandboxDifferenceText(difference)
        return "  \(words.subject): \(words.new) instead of \(words.old)"
      }
  }
}
