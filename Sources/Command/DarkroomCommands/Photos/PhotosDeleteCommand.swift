// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PhotoLibrary

/// `darkroom photos delete`: removes assets with their files.
package enum PhotosDeleteCommand: Command {
  package static let spec = CommandSpec(
    "delete",
    summary: "Delete assets and their files",
    arguments: [PhotoLibraryOptions.assets],
    exitCodes: [ExitCode.missing.when("An asset does not exist"), ExitCode.unusableLibrary]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let library = try PhotoLibraryOptions.existing(parsed, console)
    let assets = try PhotoLibraryOptions.named(parsed, library)
    for asset in assets {
      try PhotoLibraryOptions.mappingLibraryErrors { () throws(PhotoLibraryError) in
        try library?.delete(asset)
      }
      if !parsed.has(CommonOptions.json) { console.print("removed \(asset.id): \(asset.title)") }
    }
    if parsed.has(CommonOptions.json) {
      console.print(["deleted": .array(assets.map { .string($0.id) })])
    }
    return 0
  }
}
