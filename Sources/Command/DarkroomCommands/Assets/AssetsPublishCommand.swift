// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SessionStore

/// `darkroom assets publish`: shares a copy of a directory.
package enum AssetsPublishCommand: Command {
  private static let directory = ArgumentSpec("DIR", help: "The directory with the files")

  package static let spec = CommandSpec(
    "publish",
    summary: "Share a copy of a directory with the extensions of an app",
    discussion: """
      The copy replaces the files that were shared before. New sessions see the files read-only in /assets; \
      running sessions keep the previous files.

      The directory is limited to \(SharedAssetsLimits().bytes >> 20) MiB and \(SharedAssetsLimits().files) files, \
      and must contain only regular files and directories. Otherwise, nothing changes. The app need not be \
      installed.
      """,
    arguments: [CommonOptions.appArgument, directory],
    examples: [
      ExampleSpec("darkroom assets publish org.example.camera Presets", "Share presets and lookup tables")
    ],
    exitCodes: [
      ExitCode.data.when("DIR contains unsuitable files, or exceeds a limit"),
      ExitCode.missing.when("DIR does not exist, or cannot be read"), ExitCode.unusableStore,
      ExitCode.temporaryFailure.when("Another process is removing the shared files"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let source = parsed.value(of: directory) ?? ""
    let set = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try SharedAssets(app).publish(source)
    }
    if parsed.has(CommonOptions.json) {
      console.print(["app": .string(app.id), "set": AssetsCommand.json(set)])
    } else {
      console.print(
        "published \(set.files) file\(set.files == 1 ? "" : "s"), \(set.bytes) byte\(set.bytes == 1 ? "" : "s") for "
          + "\(app.id) (generation \(set.generation))"
      )
    }
    return 0
  }
}
