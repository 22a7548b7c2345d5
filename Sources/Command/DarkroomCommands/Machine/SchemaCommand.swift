// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
package import CommandGrammar
internal import Policies
internal import SandboxAudit
internal import SessionStore

/// `darkroom schema`: prints the published schemas of documents.
package enum SchemaCommand: Command {
  private static let document = ArgumentSpec(
    "DOCUMENT",
    .one,
    .choice(["app", "extension", "policy", "invariants", "record", "audit"]),
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
    let name = parsed.value(of: document) ?? ""
    let text =
      switch name {
      case "invariants": ShippedPolicies.invariantsSchema
      case "record": RecordSchema.bytes
      case "audit": AuditSchema.bytes
      default: ManifestSchema(rawValue: name)?.bytes ?? ShippedPolicies.schema
      }
    console.printText(String(decoding: text, as: UTF8.self))
    return 0
  }
}
