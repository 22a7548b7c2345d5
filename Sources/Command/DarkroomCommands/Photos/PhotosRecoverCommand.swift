// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import PhotoLibrary

/// `darkroom photos recover`: finishes library operations that a crash interrupted.
package enum PhotosRecoverCommand: Command {
  package static let spec = CommandSpec(
    "recover",
    summary: "Finish or undo interrupted changes of the photo library",
    discussion: """
      The command is safe at any time. Each command that opens the library does the same.
      """,
    exitCodes: [ExitCode.unusableLibrary]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let work = try PhotoLibraryOptions.existing(parsed, console)?.recovered ?? RecoveredWork()
    if parsed.has(CommonOptions.json) {
      console.print([
        "finished": .array(work.finished.map(JSONValue.string)),
        "undone": .array(work.undone.map(JSONValue.string)),
        "removed": .array(work.removed.map(JSONValue.string)),
        "orphanedFiles": .integer(Int64(work.orphanedFiles)),
      ])
    } else if work == RecoveredWork() {
      console.note("there is nothing to recover in the photo library")
    } else {
      console.print(
        "finished \(work.finished.count), undone \(work.undone.count), removed \(work.removed.count), "
          + "incoming files removed \(work.orphanedFiles)"
      )
    }
    return 0
  }
}
