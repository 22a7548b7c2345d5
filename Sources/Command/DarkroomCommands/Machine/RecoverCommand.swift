// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import CommandGrammar
internal import DarkroomHost
internal import JSONText
internal import LaunchPlanning
internal import SessionStore

/// `darkroom recover`: finishes operations that a crash interrupted.
package enum RecoverCommand: Command {
  package static let spec = CommandSpec(
    "recover",
    summary: "Hand over what sessions have left whose host died, and tidy up after them",
    discussion: """
      Safe at any time: sessions that are running are left alone. What cannot be finished is named with the reason, \
      stays where it is, and is tried again the next time. The photo library is recovered first, because what was \
      moved into it is not handed over as well.
      """,
    options: [PhotoLibraryOptions.library]
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
