// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import SessionStore

/// `darkroom permission reset`: removes decisions.
package enum PermissionResetCommand: Command {
  package static let spec = CommandSpec(
    "reset",
    summary: "Reset one or all permissions of an app",
    discussion: """
      Without RESOURCE, a damaged file of permissions is removed, too.
      """,
    arguments: [CommonOptions.appArgument, PermissionCommand.optionalSubject],
    examples: [ExampleSpec("darkroom permission reset org.example.camera", "Reset all permissions")],
    exitCodes: [ExitCode.damagedPermissions, ExitCode.unknownApp, ExitCode.unusableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let subject = PermissionCommand.subject(parsed, PermissionCommand.optionalSubject)
    let decided = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      guard let subject else {
        try PermissionStore(app).clear()
        return AppPermissions()
      }
      return try PermissionStore(app).change { all throws(PermissionSettingError) in all.reset(subject) }
    }
    PermissionCommand.show(app, decided, only: nil, parsed, console)
    return 0
  }
}
