// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import SandboxAudit

/// `darkroom schema`: prints the published schemas of documents.
package enum SchemaCommand: Command {
  private static let document = ArgumentSpec(
    "DOCUMENT",
    .one,
    .choice(PublishedSchema.allCases.map(\.rawValue)),
    help: "The type of document"
  )

  package static let spec = CommandSpec(
    "schema",
    summary: "Print the JSON Schema of a document type",
    discussion: """
      The documents are app.json, extension.json, policies, invariants, session records and audit reports. Editors \
      and other programs can use the schemas.
      """,
    arguments: [document],
    examples: [ExampleSpec("darkroom schema policy >policy.schema.json", "Write the schema of policies")]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let schema = PublishedSchema(rawValue: parsed.value(of: document) ?? "") ?? .policy
    console.printText(schema.text)
    return 0
  }
}
