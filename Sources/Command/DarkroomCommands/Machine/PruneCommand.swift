// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

/// `darkroom prune`: empties the trash.
package enum PruneCommand: Command {
  package static let spec = CommandSpec(
    "prune",
    summary: "Delete what waits in the trash",
    discussion: """
      What is removed is gone from its place at once, and deleted afterwards. Commands that remove much start this in \
      the background, where it runs only when nothing else does. It can be ended at any time: the next one, or \
      'darkroom recover', goes on. Several at once do no harm.
      """
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    CurrentProcess.useIdlePriority()
    let deleted = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try prune(root) }
    if parsed.has(CommonOptions.json) {
      console.print(["discarded": .integer(Int64(deleted))])
    } else if deleted == 0 {
      console.note("the trash of \(root.path) is empty")
    } else {
      console.print("deleted from the trash: \(deleted)")
    }
    return 0
  }

  /// Empties the trash, including items that are added meanwhile.
  private static func prune(_ root: StateRoot) throws(StoreError) -> Int {
    guard try root.hasTrash() else { return 0 }
    let trash = try Trash(root)
    var deleted = 0
    while try !trash.pendingNames().isEmpty {
      let more = try trash.empty()
      deleted += more
      if more == 0 { break }
    }
    return deleted
  }
}
