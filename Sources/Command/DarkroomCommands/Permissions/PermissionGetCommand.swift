// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import SessionStore

/// `darkroom permission get`: prints the effective permissions of an app.
package enum PermissionGetCommand: Command {
  package static let spec = CommandSpec(
    "get",
    summary: "Show the permissions of an app, with the reasons",
    arguments: [CommonOptions.appArgument, PermissionCommand.optionalSubject],
    examples: [ExampleSpec("darkroom permission get org.example.camera", "Show all permissions")],
    exitCodes: [ExitCode.damagedPermissions, ExitCode.unknownApp, ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let decided = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try PermissionStore(app).read()
    }
    let subject = PermissionCommand.subject(parsed, PermissionCommand.optionalSubject)
    PermissionCommand.show(app, decided, only: subject, parsed, console)
    return 0
  }
}
