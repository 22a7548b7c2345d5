// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PhotoLibrary
internal import PolicyExplanation
internal import SessionStore

/// `darkroom photos import`: adds files for an app.
package enum PhotosImportCommand: Command {
  private static let files = ArgumentSpec(
    "FILE",
    .many(atLeast: 1),
    .file,
    help: "The files, which stay in place"
  )

  package static let spec = CommandSpec(
    "import",
    summary: "Add files to the photo library for an app",
    discussion: """
      Apps in every language can add their captures with this command. Each file is copied and not decoded. If a \
      file cannot be added, the other files are added nevertheless.
      """,
    arguments: [CommonOptions.appArgument, files],
    exitCodes: [
      ExitCode.success("All files were added"), ExitCode.data.when("A file does not exist, or is unsuitable"),
      ExitCode.unusableLibrary,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.resolvedRoot(parsed, console)
    let app = try CommonOptions.app(parsed.value(of: CommonOptions.appArgument) ?? "", root)
    let library = try PhotoLibraryOptions.open(parsed, console)
    var done: [JSONValue] = []
    var failed: [JSONValue] = []
    var code: Int32 = 0
    for file in parsed.values(of: files) {
      do {
        let asset = try library.add(copyOf: file, for: app.id)
        done.append(PhotoLibraryOptions.json(asset, library))
        if !parsed.has(CommonOptions.json) {
          console.print("\(asset.id)  \(TextTable.printable(library.filePath(asset)))")
        }
      } catch {
        let failure = CommandFailure(error)
        if code == 0 { code = failure.code.rawValue }
        failed.append(["file": .string(file), "reason": .string(failure.description)])
        console.note("darkroom: \(failure)")
      }
    }
    if parsed.has(CommonOptions.json) {
      console.print(["imported": .array(done), "failed": .array(failed)])
    }
    return code
  }
}
