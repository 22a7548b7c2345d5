// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
package import CommandGrammar
internal import Policies

/// `darkroom schema`: the published descriptions of documents.
package enum SchemaCommand: Command {
  private static let document = ArgumentSpec(
    "DOCUMENT",
    .one,
    .choice(["app", "extension", "policy", "invariants"]),
    help: "The kind of document: app.json, extension.json, a policy, or invariants"
  )

  package static let spec = CommandSpec(
    "schema",
    summary: "Print the JSON Schema of a kind of document, for editors and other programs",
    arguments: [document]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let name = parsed.word(of: document) ?? ""
    let policies = name == "invariants" ? ShippedPolicies.invariantsSchema : ShippedPolicies.schema
    let text = ManifestSchema(rawValue: name)?.bytes ?? policies
    console.printText(String(decoding: text, as: UTF8.self))
    return 0
  }
}
