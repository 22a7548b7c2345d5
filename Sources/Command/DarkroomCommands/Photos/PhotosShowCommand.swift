// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import PhotoLibrary

/// `darkroom photos show`: prints the path of an asset's file.
package enum PhotosShowCommand: Command {
  private static let asset = ArgumentSpec(
    "ASSET",
    help: "An asset ID from 'darkroom photos list'"
  )

  package static let spec = CommandSpec(
    "show",
    summary: "Print the path of an asset's file",
    discussion: """
      With --json, the command prints all properties of the asset.
      """,
    arguments: [asset],
    exitCodes: [ExitCode.missing.when("The asset or its file does not exist"), ExitCode.unusableLibrary]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let word = parsed.value(of: asset) ?? ""
    guard let library = try PhotoLibraryOptions.existing(parsed, console) else {
      throw CommandFailure(PhotoLibraryError.noSuchAsset(word))
    }
    let found = try PhotoLibraryOptions.mappingLibraryErrors { () throws(PhotoLibraryError) in
      try library.asset(word, for: .user)
    }
    // Opening the file verifies that it exists, before its path is printed.
    do { _ = try library.open(found) } catch { throw CommandFailure(error) }
    if parsed.has(CommonOptions.json) {
      console.print(PhotoLibraryOptions.json(found, library))
    } else {
      console.print(library.filePath(found))
    }
    return 0
  }
}
