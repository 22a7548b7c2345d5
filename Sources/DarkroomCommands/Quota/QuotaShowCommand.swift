// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

/// `darkroom quota show`: what holds, and what there is.
package enum QuotaShowCommand: Command {
  private static let app = ArgumentSpec("APP", .optional, help: "The id of an app, for what waits for it")

  package static let spec = CommandSpec(
    "show",
    summary: "Show how much may wait for apps, and how much waits for one",
    discussion: """
      What is not limited is shown as -. The reserve is what no session takes of the file system of the state root; where \
      nobody has chosen one it is a twentieth of the file system, and no more than 64 MiB.
      """,
    arguments: [app]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let quota = try CommandFailure.store { () throws(StoreError) in try QuotaStore(root).read() }
    guard let word = parsed.word(of: app) else {
      show(quota, parsed, console)
      return 0
    }
    let store = try CommonOptions.app(word, root)
    let standing = try CommandFailure.store { () throws(StoreError) in
      try QuotaStanding.of(store, counting: .all)
    }
    let refusal = RoomRefusal(standing, of: store)
    if parsed.has(CommonOptions.json) {
      console.print(
        .object([
          "app": .string(store.id), "waiting": standing.used.json, "limit": standing.limit.json,
          "free": .integer(standing.space.free), "reserve": .integer(standing.reserve),
          "refusal": refusal.map { .string($0.description) },
        ])
      )
    } else {
      console.print("waiting  \(amount(standing.used))")
      console.print("limit    \(amount(standing.limit))")
      let reserve = standing.reserve
      console.print("free     \(standing.space.free) bytes, of which no session takes the last \(reserve)")
      if let refusal { console.print("no session can begin: \(refusal)") }
    }
    return 0
  }

  /// Prints what holds.
  static func show(_ quota: StorageQuota, _ parsed: ParsedCommand, _ console: Console) {
    if parsed.has(CommonOptions.json) {
      console.print(quota.json)
      return
    }
    console.print("reserve    \(quota.reserve.map { "\($0) bytes" } ?? "a twentieth, at most 64 MiB")")
    console.print("every app  \(amount(quota.standard))")
    for (app, limit) in quota.apps.sorted(by: { $0.key < $1.key }) {
      console.print("\(app)  \(amount(limit.completed(by: quota.standard)))")
    }
  }

  private static func amount(_ quota: AppQuota) -> String {
    func text(_ number: Int64?) -> String { number.map { "\($0)" } ?? "-" }
    return "\(text(quota.bytes)) bytes, \(text(quota.files)) files, \(text(quota.sessions)) sessions"
  }
}
