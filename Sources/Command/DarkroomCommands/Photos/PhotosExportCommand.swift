// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import PhotoLibrary
internal import PolicyExplanation

/// `darkroom photos export`: copies assets out of the library.
package enum PhotosExportCommand: Command {
  private static let target = OptionSpec.value(
    "to",
    "DIR",
    .directory,
    .required,
    help: "Copy the files to DIR without replacing existing files"
  )

  package static let spec = CommandSpec(
    "export",
    summary: "Copy assets to a directory",
    options: [target],
    arguments: [PhotoLibraryOptions.assets],
    exitCodes: [
      ExitCode.missing.when("An asset or its file does not exist"), ExitCode.unusableLibrary,
      ExitCode.output.when("DIR already contains the file, or a file or the output cannot be written"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let library = try PhotoLibraryOptions.existing(parsed, console)
    let assets = try PhotoLibraryOptions.named(parsed, library)
    let directory = parsed.value(of: target) ?? ""
    var done: [JSONValue] = []
    for asset in assets {
      guard let library else { continue }
      let path = "\(directory)/\(FileSystem.lastComponent(asset.path))"
      try export(asset, library, to: path)
      done.append(["asset": .string(asset.id), "path": .string(path)])
      if !parsed.has(CommonOptions.json) { console.print(TextTable.printable(path)) }
    }
    if parsed.has(CommonOptions.json) { console.print(["exported": .array(done)]) }
    return 0
  }

  /// Copies one asset. An incomplete copy is removed.
  private static func export(
    _ asset: Asset,
    _ library: PhotoLibrary,
    to path: String
  ) throws(CommandFailure) {
    let file: Descriptor
    do { file = try library.open(asset) } catch { throw CommandFailure(error) }
    do throws(SystemCallError) {
      try PhotoLibrary.copy(file, to: path)
    } catch  where error.errno == .fileExists {
      throw CommandFailure(.output, "\(path): \(error.errno); choose another directory with --to DIR")
    } catch { throw CommandFailure(.output, "\(error)") }
  }
}
