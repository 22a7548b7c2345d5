// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore
internal import Synchronization

/// `darkroom prune`: empties the trash.
package enum PruneCommand: Command {
  package static let spec = CommandSpec(
    "prune",
    summary: "Delete the files in the trash",
    discussion: """
      Removed content disappears at once, and is deleted later. Commands that remove large content start 'darkroom \
      prune' in the background with idle priority.

      The command can be terminated at any time: the next 'darkroom prune' or 'darkroom recover' continues. \
      Several processes can run at once.
      """,
    exitCodes: [ExitCode.unusableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let deleted = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try pruneWhenIdle(root) }
    if parsed.has(CommonOptions.json) {
      console.print(["discarded": .integer(Int64(deleted))])
    } else if deleted == 0 {
      console.note("the trash of \(root.path) is empty")
    } else {
      console.print("deleted from the trash: \(deleted)")
    }
    return 0
  }

  /// Empties the trash on a thread of its own, so that the calling thread keeps its priority.
  private static func pruneWhenIdle(_ root: StateRoot) throws(StoreError) -> Int {
    let result = Mutex<Result<Int, StoreError>>(.success(0))
    do throws(SystemCallError) {
      try PlainThread.start(name: "prune") {
        CurrentProcess.useIdlePriority()
        do throws(StoreError) {
          let deleted = try root.emptyTrash()
          result.withLock { $0 = .success(deleted) }
        } catch { result.withLock { $0 = .failure(error) } }
      }.join()
    } catch { throw .system(error) }
    return try result.withLock { $0 }.get()
  }
}
