// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import SessionStore

/// `darkroom quota set`: chooses how much may wait for apps.
package enum QuotaSetCommand: Command {
  private static let app = OptionSpec.value("app", "ID", help: "Choose for this app, not for every app")
  private static let bytes = OptionSpec.value(
    "bytes",
    "SIZE",
    .byteCount,
    help: "How many bytes may wait, such as 10GiB"
  )
  private static let files = OptionSpec.value(
    "files",
    "NUMBER",
    .integer(1...Int(Int32.max)),
    help: "How many files may wait"
  )
  private static let sessions = OptionSpec.value(
    "sessions",
    "NUMBER",
    .integer(1...Int(Int32.max)),
    help: "How many sessions may wait"
  )
  private static let reserve = OptionSpec.value(
    "reserve",
    "SIZE",
    .byteCount,
    help: "How much of the file system no session takes; not with --app"
  )
  private static let clear = OptionSpec.flag(
    "clear",
    help: "First forget what was chosen, for the app or for every app and the reserve"
  )

  package static let spec = CommandSpec(
    "set",
    summary: "Choose how much may wait for apps, and how much of the disk no session takes",
    discussion: """
      What is not given stays as it was. A session of an app for which as much waits as may is refused; one that begins \
      below the limit can capture what is left of it, is told when that is little, and gets errors where files would \
      grow beyond. Sessions that run keep what they began with.
      """,
    options: [app, bytes, files, sessions, reserve, clear],
    examples: [
      ExampleSpec("darkroom quota set --reserve 1GiB", "Leave a gibibyte of the disk free"),
      ExampleSpec(
        "darkroom quota set --app org.example.camera --bytes 20GiB --sessions 500",
        "Bound what waits for one app"
      ),
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.stateRoot(parsed, console)
    let name = parsed.value(of: app)
    if let name {
      _ = try CommonOptions.app(name, root)
      if parsed.has(reserve) {
        throw CommandFailure(.usage, "--reserve is for the whole state root, not for one app")
      }
    }
    let quota = try CommandFailure.store { () throws(StoreError) in
      try QuotaStore(root).change { quota in
        var chosen = name.map { quota.apps[$0] ?? AppQuota() } ?? quota.standard
        if parsed.has(clear) {
          chosen = AppQuota()
          if name == nil { quota.reserve = nil }
        }
        chosen.bytes = parsed.byteCount(of: bytes).map { Int64(clamping: $0.bytes) } ?? chosen.bytes
        chosen.files = parsed.integer(of: files).map(Int64.init) ?? chosen.files
        chosen.sessions = parsed.integer(of: sessions).map(Int64.init) ?? chosen.sessions
        if let size = parsed.byteCount(of: reserve) { quota.reserve = Int64(clamping: size.bytes) }
        guard let name else {
          quota.standard = chosen
          return
        }
        quota.apps[name] = chosen == AppQuota() ? nil : chosen
      }
    }
    QuotaShowCommand.show(quota, parsed, console)
    return 0
  }
}
