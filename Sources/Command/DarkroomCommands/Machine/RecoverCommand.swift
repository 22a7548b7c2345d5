// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import JSONText
internal import LaunchPlanning
internal import SessionServices
internal import SessionStore

/// `darkroom recover`: finishes operations that a crash interrupted.
package enum RecoverCommand: Command {
  package static let spec = CommandSpec(
    "recover",
    summary: "Migrate the content of sessions whose host died",
    discussion: """
      The command also deletes the files in the trash, and removes abandoned control groups. It is safe at any \
      time: running sessions are not changed.

      A session that cannot be recovered is reported with the reason, stays in place, and is tried again by the \
      next recovery. The photo library is recovered first, because files that were moved to the library are not \
      migrated.
      """,
    options: [PhotoLibraryOptions.library],
    exitCodes: [
      ExitCode.success("Everything was recovered"),
      ExitCode.machine.when("A required system call is refused"),
      ExitCode.store.when("A session could not be recovered, or the state root cannot be read or written"),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let groups = SessionRunner.removeAbandonedGroups()
    let summary = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try SessionRecovery.run(
        root,
        library: parsed.value(of: PhotoLibraryOptions.library),
        environment: console.environment,
        notice: { console.note("darkroom: \($0)") }
      )
    }
    if parsed.has(CommonOptions.json) {
      console.print(RecoveryOutput.json(summary))
    } else {
      for report in summary.sessions {
        console.print("\(report.session)  \(RecoveryOutput.line(report.finding))")
      }
      if summary.discarded > 0 { console.print("deleted from the trash: \(summary.discarded)") }
      if groups > 0 { console.print("control groups removed: \(groups)") }
      if summary.sessions.isEmpty && summary.discarded == 0 && groups == 0 && summary.fault == nil {
        console.note("there is nothing to recover in \(root.path)")
      }
    }
    if let fault = summary.fault { console.note("darkroom: the recovery is incomplete: \(fault)") }
    do throws(CatalogError) {
      try root.catalog.recover()
    } catch {
      console.note("darkroom: the recovery is incomplete: \(error)")
      return ExitCode.store.rawValue
    }
    return summary.isClean ? 0 : ExitCode.store.rawValue
  }
}
