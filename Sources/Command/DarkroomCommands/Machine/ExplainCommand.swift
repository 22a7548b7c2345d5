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
    help: "The policy that the extension runs under"
  )
  private static let write = OptionSpec.flag("write", help: "Ask whether it can be written or made")
  private static let execute = OptionSpec.flag("execute", help: "Ask whether it can be run")
  private static let path = ArgumentSpec("PATH", help: "A path as the extension sees it")

  package static let spec = CommandSpec(
    "explain",
    summary: "Tell what an extension gets at a path, by which layer and line, and what would change it",
    discussion: """
      The answer is worked out from the policy and this machine's files; nothing is launched. Of what Landlock and \
      mounts refuse to a running extension the kernel tells only root, so this is the way to find out.

      What becomes of a system call, and what a policy comes to as a whole, is told by 'darkroom policy explain'.
      """,
    options: [policy, write, execute],
    arguments: [path],
    examples: [
      ExampleSpec(
        "darkroom explain /opt/models --policy capture",
        "Ask whether an extension can read /opt/models"
      )
    ],
    exitCodes: [
      ExitCodeSpec("0", "The answer was given, whether the path can be used or not"),
      ExitCodeSpec("\(ExitCode.missing.rawValue)", "There is no such policy"),
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
