// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import LinuxPrimitives
internal import SessionStore

/// `darkroom quota set`: sets the limits on pending content and free space.
package enum QuotaSetCommand: Command {
  private static let app = OptionSpec.value(
    "app",
    "ID",
    help: "Set the values for this app (default: for every app)"
  )
  private static let bytes = OptionSpec.value(
    "bytes",
    "SIZE",
    .byteCount,
    help: "Allow SIZE bytes of pending content, such as 10GiB"
  )
  private static let files = OptionSpec.value(
    "files",
    "NUMBER",
    .integer(1...Int(Int32.max)),
    help: "Allow this number of pending files"
  )
  private static let sessions = OptionSpec.value(
    "sessions",
    "NUMBER",
    .integer(1...Int(Int32.max)),
    help: "Allow this number of sessions with pending content"
  )
  private static let reserve = OptionSpec.value(
    "reserve",
    "SIZE",
    .byteCount,
    help: "Keep SIZE of the file system free, such as 1GiB"
  )
  private static let clear = OptionSpec.flag(
    "clear",
    help: "Reset the values first: those of --app, or those for every app and the reserve"
  )

  package static let spec = CommandSpec(
    "set",
    summary: "Set the quotas of pending content and the reserve",
    discussion: """
      Values that are not given do not change. A session of an app at its quota is refused. A session that starts \
      below the quota can capture up to the quota; it is notified if little is left, and writes beyond the quota \
      fail. Running sessions keep the values with which they started.

      The reserve is the space of the file system that no session uses. The largest of three reserves applies: \
      those of the state root, of the app and of the policy (freeReserve). None makes another weaker. A reserve of \
      0 removes the reserve of an app.
      """,
    options: [app, bytes, files, sessions, reserve, clear],
    examples: [
      ExampleSpec("darkroom quota set --reserve 1GiB", "Keep 1 GiB of the file system free"),
      ExampleSpec(
        "darkroom quota set --app org.example.camera --bytes 20GiB --sessions 500",
        "Limit the pending content of one app"
      ),
      ExampleSpec(
        "darkroom quota set --app org.example.camera --reserve 4GiB",
        "Set a larger reserve for the sessions of one app"
      ),
    ],
    exitCodes: [
      ExitCode.usage.when("The command line is invalid, or sets no value"), ExitCode.unknownApp,
      ExitCode.unusableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    guard [bytes, files, sessions, reserve, clear].contains(where: parsed.has) else {
      throw CommandFailure(
        .usage,
        "no setting was given; use --bytes, --files, --sessions, --reserve or --clear ('darkroom quota show' prints the "
          + "settings)"
      )
    }
    let name = parsed.value(of: app)
    let root = try CommonOptions.stateRoot(parsed, console)
    if let name { _ = try CommonOptions.knownApp(name, root) }
    let quota = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try QuotaStore(root).change { quota in choose(&quota, name, parsed) }
    }
    QuotaShowCommand.show(quota, parsed, console)
    if parsed.has(reserve), let note = reserveNote(quota, name, root) { console.note(note) }
    return 0
  }

  private static func choose(_ quota: inout StorageQuota, _ app: String?, _ parsed: ParsedCommand) {
    var chosen = app.map { quota.apps[$0] ?? AppQuota() } ?? quota.standard
    var kept = app.map { quota.reserves[$0] } ?? quota.reserve
    if parsed.has(clear) { (chosen, kept) = (AppQuota(), nil) }
    chosen.bytes = parsed.byteCount(of: bytes).map { Int64(clamping: $0.bytes) } ?? chosen.bytes
    chosen.files = parsed.integer(of: files).map(Int64.init) ?? chosen.files
    chosen.sessions = parsed.integer(of: sessions).map(Int64.init) ?? chosen.sessions
    kept = parsed.byteCount(of: reserve).map { Int64(clamping: $0.bytes) } ?? kept
    guard let app else {
      (quota.standard, quota.reserve) = (chosen, kept)
      return
    }
    quota.apps[app] = chosen == AppQuota() ? nil : chosen
    quota.reserves[app] = kept == 0 ? nil : kept
  }

  /// Returns a note about a reserve without effect, because the state root's reserve is larger, or a reserve
  /// that leaves no space to sessions. Returns `nil` if neither applies.
  private static func reserveNote(_ quota: StorageQuota, _ app: String?, _ root: StateRoot) -> String? {
    guard let chosen = app.map({ quota.reserves[$0] }) ?? quota.reserve,
      let space = try? FileSystemSpace.of(root.path)
    else { return nil }
    if chosen >= space.total {
      return
        "the file system has \(space.total) bytes, so \(app.map { "no session of \($0)" } ?? "no session") can start; "
        + "choose a smaller reserve"
    }
    guard let app else { return nil }
    let reserve = quota.reserve(of: space.total, app: app)
    guard reserve.source != .app else { return nil }
    return "the reserve is \(reserve.bytes) bytes (\(reserve.source)); "
      + "the reserve of \(app) is not larger and has no effect"
  }
}
