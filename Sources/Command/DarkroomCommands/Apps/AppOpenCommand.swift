// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LaunchPlanning
internal import SessionServices
internal import SessionStore

/// `darkroom app open`: opens an app.
package enum AppOpenCommand: Command {
  private static let activity = OptionSpec.value(
    "activity",
    "JSON",
    help: "Deliver this user activity, a JSON object"
  )

  package static let spec = CommandSpec(
    "open",
    summary: "Open an app, optionally with a user activity",
    discussion: """
      The activity is an object with at least "activityType". An app that watches its mailbox receives the \
      delivery. Otherwise, the command of "open" in its app.json is started, with its output in open.log in the \
      directory of the app.
      """,
    options: [activity],
    arguments: [CommonOptions.appArgument],
    examples: [
      ExampleSpec(
        "darkroom app open org.example.camera --activity '{\"activityType\":\"org.example.camera.edit\"}'",
        "Open an app for editing"
      )
    ],
    exitCodes: [
      ExitCode.data.when("The activity or the app context is invalid"),
      ExitCode.missing.when("The app does not exist, or has no program to start"), ExitCode.unusableStore,
      ExitCode.notExecuted.when("The program of the app could not be started"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let activity = try activity(parsed)
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let context = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try AppContextStore(app).get()
    }
    let delivery = AppDelivery.now(.control, activity: activity, appContext: context ?? .null)
    let opener = ApplicationOpener(
      app,
      catalog: root.catalog,
      environment: console.environment
    )
    do { try opener.deliver(delivery) } catch { throw CommandFailure(error) }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "delivery": .string(delivery.id)])
    } else {
      console.print("opened \(app.id)")
    }
    return 0
  }

  private static func activity(_ parsed: ParsedCommand) throws(CommandFailure) -> UserActivity? {
    guard let text = parsed.value(of: activity) else { return nil }
    do throws(ActivityTextError) { return try UserActivity(text: text) } catch {
      throw CommandFailure(.data, "--activity is not valid: \(error)")
    }
  }
}
