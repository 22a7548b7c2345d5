// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import SessionStore

/// `darkroom permission reset`: removes decisions.
package enum PermissionResetCommand: Command {
  package static let spec = CommandSpec(
    "reset",
    summary: "Forget what was decided of one resource, or of all",
    discussion: "Without a resource a damaged file of decisions is removed, too.",
    arguments: [CommonOptions.appArgument, PermissionCommand.optionalSubject],
    examples: [ExampleSpec("darkroom permission reset org.example.camera", "Forget all decisions")]
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
