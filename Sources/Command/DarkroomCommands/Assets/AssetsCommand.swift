// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import SandboxAudit
internal import SessionStore

/// `darkroom assets`: manages the files that an app shares with its extensions.
package enum AssetsCommand: CommandGroup {
  package static let commands: CommandList = [
    "publish": AssetsPublishCommand.self,
    "list": AssetsListCommand.self,
    "clear": AssetsClearCommand.self,
  ]

  package static let spec = CommandSpec(
    "assets",
    summary: "Share read-only files with the extensions of an app",
    subcommands: Subcommands(commands)
  )

  /// Returns a set of shared files as JSON.
  static func json(_ set: SharedAssetsSet) -> JSONValue {
    [
      "generation": .integer(set.generation),
      "files": .integer(set.files),
      "bytes": .integer(set.bytes),
      "publishedAt": TimestampText.json(set.publishedAt),
      "current": .bool(set.isCurrent),
      "used": .bool(set.isInUse),
    ]
  }
}
