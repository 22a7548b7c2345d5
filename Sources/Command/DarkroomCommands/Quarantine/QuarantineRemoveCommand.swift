// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import SessionServices
internal import SessionStore

/// `darkroom quarantine remove`: removes quarantined files.
package enum QuarantineRemoveCommand: Command {
  private static let all = OptionSpec.flag("all", help: "Select all sessions with quarantined items")
  private static let shred = OptionSpec.flag(
    "shred",
    help: "Overwrite the contents of files with random bytes first"
  )

  package static let spec = CommandSpec(
    "remove",
    summary: "Delete the quarantined items of sessions",
    discussion: """
      The session records are kept, and contain what was removed and when.

      With --shred, regular files that have no other name are overwritten in place. This has no effect on file \
      systems that write elsewhere (btrfs, zfs, bcachefs, f2fs), on snapshots, and on disks that move blocks, such \
      as SSDs: only encryption protects the data of such a disk. The command reports what it knows about the \
      effect.
      """,
    options: [all, shred],
    arguments: [CommonOptions.appArgument, QuarantineSelection.sessions],
    exitCodes: [
      ExitCode.usage.when("The command line is invalid, or SESSION is not an ID"),
      ExitCode.missing.when("The app does not exist, or has no quarantined items of the session"),
      ExitCode.unusableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let app = try CommonOptions.knownApp(parsed, root)
    let words = parsed.values(of: QuarantineSelection.sessions)
    guard words.isEmpty == parsed.has(all) else {
      throw CommandFailure(
        .usage,
        "give either session IDs or --all; see 'darkroom quarantine remove --help'"
      )
    }
    let sessions =
      words.isEmpty
      ? try CommandFailure.mappingStoreErrors { () throws(StoreError) in try Quarantine(app).list() }
      : try QuarantineSelection.named(words, of: app)
    var report = ChangeReport(parsed, console, app: app, key: "removed")
    for session in sessions {
      report.attempt(session.id) { () throws(StoreError) in
        let receipt = try Quarantine(app).remove(session.id, parsed.has(shred) ? .shredded : .plain)
        return (members(receipt), line(receipt))
      }
    }
    BackgroundPrune.start(root)
    return report.conclude(noteIfEmpty: "no content of \(app.id) is quarantined")
  }

  private static func members(_ receipt: Quarantine.Receipt) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("items", .integer(Int64(receipt.session.items.count))),
      .init("files", .integer(receipt.session.files)), .init("bytes", .integer(receipt.session.bytes)),
    ]
    guard let effect = receipt.effect else { return members }
    members.append(.init("overwritten", .integer(receipt.overwritten)))
    members.append(.init("notOverwritten", .integer(receipt.notOverwritten)))
    members.append(.init("effect", .string(identifier(effect))))
    return members
  }

  private static func line(_ receipt: Quarantine.Receipt) -> String {
    let removed = "removed \(receipt.session.id): \(QuarantineSelection.sizeText(receipt.session))"
    guard let effect = receipt.effect else { return removed }
    let left = receipt.notOverwritten
    let others = left == 0 ? "" : ", \(left) file\(left == 1 ? "" : "s") not overwritten"
    return "\(removed); \(receipt.overwritten) bytes overwritten\(others): \(sentence(effect))"
  }

  private static func identifier(_ effect: OverwritingEffect) -> String {
    switch effect {
    case .inPlace: "inPlace"
    case .elsewhere: "elsewhere"
    case .memory: "memory"
    case .unknown: "unknown"
    }
  }

  private static func sentence(_ effect: OverwritingEffect) -> String {
    switch effect {
    case .inPlace:
      "the file system overwrites in place; a disk that remaps blocks, or a snapshot, can still contain the data"
    case .elsewhere(let name):
      "\(name) does not overwrite in place; the old data stays on the disk until its blocks are reused"
    case .memory(let name): "\(name) keeps files in memory; only swap can write the data to a disk"
    case .unknown:
      "this file system is unknown and may not overwrite in place; the old data may still be on the disk"
    }
  }
}
