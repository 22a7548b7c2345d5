// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore

/// `darkroom control list`: lists the controls that can be pressed.
package enum ControlListCommand: Command {
  package static let spec = CommandSpec(
    "list",
    summary: "List the controls of the installed apps",
    discussion: """
      An app whose installation cannot be read is reported on standard error.
      """,
    exitCodes: [ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let controls = try ControlCommand.catalog(root, console).controls
    if parsed.has(CommonOptions.json) {
      console.print(["controls": .array(controls.map(json))])
    } else if controls.isEmpty {
      console.note("no installed app has controls; an app declares controls under \"controls\" in app.json")
    } else {
      var table = TextTable([.init("CONTROL"), .init("TITLE"), .init("EXTENSION"), .init("AUTHENTICATION")])
      for found in controls {
        let control = found.control
        let authentication = control.authentication == .required ? "required" : ""
        table.add([found.fullName, control.title, control.extensionID, authentication])
      }
      console.print(table)
    }
    return 0
  }

  private static func json(_ found: InstalledControl) -> JSONValue {
    let control = found.control
    return .object([
      "id": .string(control.id), "name": .string(found.fullName), "app": .string(found.app.manifest.id),
      "title": .string(control.title), "extension": .string(control.extensionID),
      "description": control.summary.map(JSONValue.string), "intent": control.intent.map(JSONValue.string),
      "icon": control.icon.map { icon($0, found.app.bundlePath) },
      "requiresAuthentication": .bool(control.authentication == .required),
    ])
  }

  /// Returns an icon as JSON: a name in the icon theme, or the path of a file.
  private static func icon(_ icon: CaptureControl.Icon, _ bundle: String) -> JSONValue {
    switch icon {
    case .named(let name): ["name": .string(name)]
    case .file(let path): ["file": .string("\(bundle)/\(path)")]
    }
  }
}
