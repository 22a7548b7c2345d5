// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PolicyExplanation
internal import SandboxAudit
internal import SessionStore

/// `darkroom permission uses`: lists the uses of cameras and microphones, with the extension, time and
/// duration.
package enum PermissionUsesCommand: Command {
  private static let app = ArgumentSpec("APP", .optional, help: "The ID of an app (default: all apps)")
  private static let resource = OptionSpec.value(
    "resource",
    "RESOURCE",
    .choice(PermissionSubject.allCases.filter(\.hasDevices).map(\.rawValue)),
    help: "List only uses of this kind of device"
  )

  package static let spec = CommandSpec(
    "uses",
    summary: "List the uses of cameras and microphones, newest first",
    discussion: """
      A use starts with the first frame or sound, and is recorded before it starts. Therefore, sessions that are \
      running or whose host was killed are listed, too. Ended sessions are in the session log, which apps cannot \
      change; 'darkroom logs verify' verifies the log.
      """,
    options: [resource, CommonOptions.limit],
    arguments: [app],
    examples: [
      ExampleSpec("darkroom permission uses org.example.camera", "List the uses of an app"),
      ExampleSpec(
        "darkroom permission uses --resource microphone --limit 10",
        "List the last ten uses of a microphone"
      ),
    ],
    exitCodes: [ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let selection = DeviceUseSelection(
      app: try parsed.value(of: app).map { id throws(CommandFailure) in try CommonOptions.app(id, root).id },
      subject: parsed.value(of: resource).flatMap(PermissionSubject.init),
      limit: parsed.integer(of: CommonOptions.limit) ?? .max
    )
    let (uses, faults) = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try selection.uses(in: root)
    }
    for fault in faults { console.note("darkroom: session log: \(fault)") }
    if parsed.has(CommonOptions.json) {
      console.print(["uses": .array(uses.map(json))])
    } else if uses.isEmpty {
      console.note("no uses of a camera or a microphone are recorded")
    } else {
      console.print(table(uses))
    }
    return 0
  }

  private static func table(_ uses: [DeviceUse]) -> TextTable {
    var table = TextTable([
      .init("SINCE (UTC)"), .init("FOR", .right), .init("RESOURCE"), .init("DEVICE"), .init("EXTENSION"),
      .init("SESSION"),
    ])
    for use in uses {
      let time = use.use.milliseconds.map { "\($0 / 1000).\($0 / 100 % 10) s" }
      table.add([
        TimestampText.short(use.use.firstAt), time ?? (use.isRunning ? "now" : "unknown"),
        use.use.subject.rawValue, use.use.device, use.extensionID, use.session.description,
      ])
    }
    return table
  }

  /// Returns a use as JSON.
  private static func json(_ noted: DeviceUse) -> JSONValue {
    let own: [JSONValue.Member] = [
      .init("app", .string(noted.app)), .init("extension", .string(noted.extensionID)),
      .init("session", .string(noted.session.description)), .init("running", .bool(noted.isRunning)),
    ]
    return .object(own + (noted.use.json.members ?? []))
  }
}
