// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import LockMonitoring
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore

/// `darkroom readiness`: reports whether an extension could be launched from the lock screen.
package enum ReadinessCommand: Command {
  private static let extensionID = ArgumentSpec("EXTENSION", help: "The ID of an extension")

  package static let spec = CommandSpec(
    "readiness",
    summary: "Check whether the lock screen can launch an extension",
    discussion: """
      The command checks every condition of a launch at the lock screen, and prints a fix for each condition that \
      is not met. 'darkroom run --help' has the values of --camera.
      """,
    options: [CommonOptions.camera],
    arguments: [extensionID],
    examples: [
      ExampleSpec(
        "darkroom readiness org.darkroom.sample.snapshot --camera pattern",
        "Check the sample extension"
      )
    ],
    exitCodes: [
      ExitCode.success("Every condition is met"),
      ExitCode.usage.when("The command line is invalid, or EXTENSION is not an ID"),
      ExitCode.unavailable.when("A condition is not met"), ExitCode.unreadableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let id = parsed.value(of: extensionID) ?? ""
    let app = try app(id, root)
    let readiness = LaunchReadiness(
      .atLockScreen(
        id,
        app,
        camera: parsed.value(of: CommonOptions.camera),
        environment: console.environment
      )
    )
    func sentence(_ obstacle: LaunchRefusal) -> String { "\(obstacle)".replacing("APP", with: app.id) }
    if parsed.has(CommonOptions.json) {
      console.print([
        "extension": .string(id), "ready": .bool(readiness.isReady),
        "conditions": .array(readiness.conditions.map { json($0, $0.obstacle.map(sentence)) }),
      ])
    } else {
      for condition in readiness.conditions {
        let state = condition.obstacle.map { "no: \(sentence($0))" } ?? "yes"
        console.print("\(condition.name.rawValue): \(TextTable.printable(state))")
      }
    }
    return readiness.isReady ? 0 : ExitCode.unavailable.rawValue
  }

  /// Returns the app of an extension. The app of an unknown extension is derived from the ID's prefix.
  private static func app(_ id: String, _ root: StateRoot) throws(CommandFailure) -> AppStore {
    let parent = id.split(separator: ".").dropLast().joined(separator: ".")
    guard !parent.isEmpty else {
      throw CommandFailure(
        .usage,
        "'\(TextTable.printable(id))' is not an extension ID, which starts with the ID of its app; 'darkroom list' lists "
          + "the installed extensions"
      )
    }
    return try CommonOptions.app((try? root.catalog.find(id).app.id) ?? parent, root)
  }

  private static func json(_ condition: LaunchReadiness.Condition, _ sentence: String?) -> JSONValue {
    .object([
      "name": .string(condition.name.rawValue), "met": .bool(condition.obstacle == nil),
      "obstacle": condition.obstacle.map { .string($0.code) },
      "sentence": sentence.map(JSONValue.string),
    ])
  }
}
