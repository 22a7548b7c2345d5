// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SandboxAudit
internal import SessionStore

/// `darkroom assets list`: lists the files that an app shares.
package enum AssetsListCommand: Command {
  package static let spec = CommandSpec(
    "list",
    summary: "List the shared files of an app, newest first",
    discussion: """
      An older set is listed while a session uses it.
      """,
    arguments: [CommonOptions.appArgument],
    examples: [ExampleSpec("darkroom assets list org.example.camera --json", "List the sets as JSON")],
    exitCodes: [ExitCode.unknownApp, ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let sets = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try SharedAssets(app).list() }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "sets": .array(sets.map(AssetsCommand.json))])
    } else if sets.isEmpty {
      console.note("\(app.id) has no published assets")
    } else {
      console.print(table(sets))
    }
    return 0
  }

  private static func table(_ sets: [SharedAssetsSet]) -> TextTable {
    var table = TextTable([
      .init("SET", .right), .init("PUBLISHED (UTC)"), .init("FILES", .right), .init("BYTES", .right),
      .init("STATE"),
    ])
    for set in sets {
      let state = [set.isCurrent ? "current" : "older", set.isInUse ? "used by a session" : "not used"]
      table.add([
        "\(set.generation)", TimestampText.short(set.publishedAt), "\(set.files)", "\(set.bytes)",
        state.joined(separator: ", "),
      ])
    }
    return table
  }
}
