// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import SandboxPolicy

/// `darkroom policy list`: lists the policies that are shipped with Darkroom.
package enum PolicyListCommand: Command {
  package static let spec = CommandSpec(
    "list",
    summary: "List the shipped policies"
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let policies = try PolicyFinder.shippedNames.map { name throws(CommandFailure) in
      try SessionCommands.policy(name).policy
    }
    guard !parsed.has(CommonOptions.json) else {
      console.print(["policies": .array(policies.map(json))])
      return 0
    }
    var table = TextTable([.init("POLICY"), .init("EXTENDS"), .init("DESCRIPTION")])
    for policy in policies { table.add([policy.name, parent(policy) ?? "", policy.description]) }
    console.print(table)
    return 0
  }

  private static func parent(_ policy: ResolvedPolicy) -> String? { policy.chain.dropFirst().first }

  private static func json(_ policy: ResolvedPolicy) -> JSONValue {
    .object([
      "name": .string(policy.name),
      "extends": parent(policy).map(JSONValue.string),
      "description": .string(policy.description),
    ])
  }
}
