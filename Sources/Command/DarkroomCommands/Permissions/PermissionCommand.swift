// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import ExtensionProtocol
internal import JSONText
internal import LaunchPlanning
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore

/// `darkroom permission`: manages the permissions of an app and its extensions.
package enum PermissionCommand: CommandGroup {
  package static let commands: CommandList = [
    "get": PermissionGetCommand.self, "set": PermissionSetCommand.self, "reset": PermissionResetCommand.self,
    "uses": PermissionUsesCommand.self,
  ]

  package static let spec = CommandSpec(
    "permission",
    summary: "Show and change the permissions of an app",
    discussion: """
      An extension has the permissions of its app, and cannot request permissions. A permission that an \
      administrator has restricted cannot be granted.
      """,
    subcommands: Subcommands(commands)
  )

  /// The required argument for a resource.
  static let subject = ArgumentSpec("RESOURCE", .one, .choice(subjects), help: subjectHelp)
  /// The optional argument for a resource. Without it, the command applies to all resources.
  static let optionalSubject = ArgumentSpec("RESOURCE", .optional, .choice(subjects), help: subjectHelp)

  private static let subjects = PermissionSubject.allCases.map(\.rawValue)
  private static let subjectHelp = "The resource"

  /// Returns the resource that an argument names.
  static func subject(_ parsed: ParsedCommand, _ argument: ArgumentSpec) -> PermissionSubject? {
    parsed.value(of: argument).flatMap(PermissionSubject.init)
  }

  /// Prints the effective permissions of an app: the user's decisions, limited by the administrator's
  /// restrictions.
  static func show(
    _ app: AppStore,
    _ decided: AppPermissions,
    only subject: PermissionSubject?,
    _ parsed: ParsedCommand,
    _ console: Console
  ) {
    let files = AdministrationFiles(environment: console.environment)
    let reasons = reasons(app)
    let resolution = PermissionResolution(app: app.id, reasons: reasons)
    let resolved = resolution.resolve(.success(decided), files.read())
    let subjects = subject.map { [$0] } ?? PermissionSubject.allCases
    if parsed.has(CommonOptions.json) {
      console.print(json(app, subjects, resolved, decided))
      return
    }
    var table = TextTable([.init("RESOURCE"), .init("STATE"), .init("REASON")])
    for subject in subjects {
      let permission = resolved[subject]
      table.add([subject.rawValue, permission.status.rawValue, permission.reason.sentence])
    }
    console.print(table)
    if subjects.contains(.photos), !resolved.selectedAssets.isEmpty {
      console.print("selected  \(resolved.selectedAssets.sorted().joined(separator: ", "))")
    }
    for subject in subjects {
      for device in decided.selectedDevices[subject]?.sorted() ?? [] {
        console.print("selected  \(subject.rawValue)  \(ShellWord.quoted(TextTable.printable(device)))")
      }
    }
  }

  /// Returns the usage descriptions of the installed app. An app that is not installed needs none yet.
  private static func reasons(_ app: AppStore) -> PermissionResolution.Reasons {
    guard let installed = try? app.root.catalog.app(app.id) else { return .notNeeded }
    return .app(installed.manifest.usageDescriptions)
  }

  private static func json(
    _ app: AppStore,
    _ subjects: [PermissionSubject],
    _ resolved: ResolvedPermissions,
    _ decided: AppPermissions
  ) -> JSONValue {
    let members = subjects.map { subject in
      let permission = resolved[subject]
      return JSONValue.Member(
        subject.rawValue,
        ["state": .string(permission.status.rawValue), "reason": .string(permission.reason.code)]
      )
    }
    let devices = subjects.compactMap { subject in
      decided.selectedDevices[subject].map {
        JSONValue.Member(subject.rawValue, .array($0.sorted().map(JSONValue.string)))
      }
    }
    return [
      "app": .string(app.id), "permissions": .object(members),
      "selectedAssets": .array(resolved.selectedAssets.sorted().map(JSONValue.string)),
      "selectedDevices": .object(devices),
    ]
  }
}
