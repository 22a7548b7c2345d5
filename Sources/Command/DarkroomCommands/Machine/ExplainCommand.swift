// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import Refusals

/// `darkroom explain`: explains the access of an extension to a path.
package enum ExplainCommand: Command {
  private static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    default: "capture",
    help: "Explain the access under this policy"
  )
  private static let write = OptionSpec.flag(
    "write",
    help: "Explain whether the path can be written or created"
  )
  private static let execute = OptionSpec.flag("execute", help: "Explain whether the path can be executed")
  private static let path = ArgumentSpec("PATH", help: "A path as the extension sees it")

  package static let spec = CommandSpec(
    "explain",
    summary: "Explain what an extension can access at a path",
    discussion: """
      The answer contains the deciding layer and line, and a change that would alter the result. It is computed \
      from the policy and the files of this machine; nothing is launched. The kernel reports refusals of Landlock \
      and mounts only to root, so this command is the way to find the reason of such a refusal.

      'darkroom policy explain' explains system calls and whole policies.
      """,
    options: [policy, write, execute],
    arguments: [path],
    examples: [
      ExampleSpec(
        "darkroom explain /opt/models --policy capture",
        "Explain whether an extension can read /opt/models"
      )
    ],
    exitCodes: [
      ExitCode.success("The explanation was printed, whether the access is allowed or not"),
      ExitCode.invalidPolicy, ExitCode.unknownPolicy,
      ExitCode.machine.when("The sandbox of the policy cannot be planned on this machine"),
      ExitCode.store.when("The state root cannot be determined"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let path = parsed.value(of: path) ?? ""
    // An empty path usually comes from an unset shell variable. It must not be resolved to the working
    // directory.
    guard !path.isEmpty else {
      throw CommandFailure(.usage, "PATH is empty; give a path as the extension sees it")
    }
    let found = try SessionCommands.policy(parsed.value(of: policy) ?? "capture")
    let root = try CommonOptions.resolvedRoot(parsed, console)
    let explainer: PathExplainer
    do { explainer = try PathExplainer(found.policy, root) } catch {
      throw CommandFailure(.machine, "\(error)")
    }
    let uses = [FileAccess.write, .execute].filter { parsed.has($0 == .write ? write : execute) }
    let explanations = (uses.isEmpty ? [.read] : uses).map { explainer.explain(path, $0) }
    if parsed.has(CommonOptions.json) {
      console.print(.array(explanations.map(\.json)))
    } else {
      for explanation in explanations { console.print(TextTable.printable(explanation.sentence)) }
    }
    return 0
  }
}
