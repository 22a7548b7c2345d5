// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import SandboxAudit
internal import SandboxPolicy

/// `darkroom policy combine`: prints the intersection or the union of policies as a new document.
package enum PolicyCombineCommand: Command {
  /// The argument for the operation.
  private static let operation = ArgumentSpec(
    "OPERATION",
    .one,
    .choice(PolicyCombination.allCases.map(\.rawValue)),
    help: "intersection: what every policy allows; union: what at least one policy allows"
  )
  /// The argument for the policies.
  private static let policies = ArgumentSpec(
    "POLICY",
    .many(atLeast: 2),
    .choiceOrFile(PolicyFinder.shippedNames),
    help: "A shipped policy, or the path of a document"
  )
  /// The option for the name of the new policy.
  private static let name = OptionSpec.value(
    "name",
    "NAME",
    default: "combined",
    help: "Give this name to the new policy"
  )

  package static let spec = CommandSpec(
    "combine",
    summary: "Create the intersection or union of policies",
    discussion: """
      The new document is printed. It extends no other policy, and contains each call, path, device, limit and \
      layer. The compiled filter of the new policy is proved to allow exactly the calls of the operation, for \
      every call and every argument; the calls that start a program follow from "execute". An intersection has the \
      strictest limits, and a union the loosest.

      Use an intersection to combine the rules of two departments, and a union to run several programs in one \
      session. Check a union with 'darkroom policy check'.
      """,
    options: [name],
    arguments: [operation, policies],
    examples: [
      ExampleSpec(
        "darkroom policy combine intersection base mine.json >both.json",
        "Create a policy that allows what both allow"
      ),
      ExampleSpec(
        "darkroom policy combine union strict mine.json --name wide",
        "Create a policy for two programs"
      ),
    ],
    exitCodes: [
      ExitCode.success("The new policy was printed, and is proved to be the combination"),
      ExitCode.data.when("A policy is invalid, or a policy cannot express the combination"),
      ExitCode.unknownPolicy, ExitCode.breach.when("The combination could not be proved"),
      ExitCode.machine.when("A filter cannot be compiled"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let operation = PolicyCombination(rawValue: parsed.value(of: operation) ?? "") ?? .intersection
    let found = try parsed.values(of: policies).map { word throws(CommandFailure) in
      try SessionCommands.policy(word).policy
    }
    let combined: CombinedPolicy
    do throws(CombinedPolicy.Failure) {
      combined = try CombinedPolicy(found, by: operation, name: parsed.value(of: name) ?? "combined")
    } catch {
      switch error {
      case .notExpressible: throw CommandFailure(.data, "\(error)")
      case .filter(let error): throw CommandFailure(error)
      case .notEqual: throw CommandFailure(.breach, "\(error)")
      }
    }
    console.print(combined.document)
    return 0
  }
}
