// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import SessionStore

/// `darkroom permission set`: decides.
package enum PermissionSetCommand: Command {
  private static let state = ArgumentSpec(
    "STATE",
    .one,
    .choice(PermissionSetting.allCases.map(\.rawValue)),
    help: "What is decided: authorized, denied, or, for photos, limited"
  )
  private static let asset = OptionSpec.value(
    "asset",
    "ID",
    .text,
    .repeated,
    help: "Let the app see this asset; only with limited"
  )

  package static let spec = CommandSpec(
    "set",
    summary: "Decide what an app may use",
    discussion: """
      A session that runs is told at once: frames stop when the camera is denied, sound when the microphone is. Who may \
      read photos may add to them, and who may not add may not read. The app need not be installed yet.
      """,
    options: [asset],
    arguments: [CommonOptions.appArgument, PermissionCommand.subject, state],
    examples: [
      ExampleSpec("darkroom permission set org.example.camera camera authorized", "Allow the camera"),
      ExampleSpec(
        "darkroom permission set org.example.camera photos limited --asset 7 --asset 9",
        "Let the app see two pictures"
      ),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.app(parsed.word(of: CommonOptions.appArgument) ?? "", root)
    guard let subject = PermissionCommand.subject(parsed, PermissionCommand.subject),
      let setting = parsed.word(of: state).flatMap(PermissionSetting.init)
    else {
      throw CommandFailure(.usage, "name what is decided, and how; see 'darkroom permission set --help'")
    }
    let assets = Set(parsed.values(of: asset))
    let decided = try CommandFailure.store { () throws(StoreError) in
      try PermissionStore(app).change { all throws(PermissionMistake) in
        try all.set(subject, setting, selecting: assets)
      }
    }
    PermissionCommand.show(app, decided, only: nil, parsed, console)
    return 0
  }
}
