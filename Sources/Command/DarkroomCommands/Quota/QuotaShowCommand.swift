// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

/// `darkroom quota show`: prints the limits and the current usage.
package enum QuotaShowCommand: Command {
  private static let app = ArgumentSpec(
    "APP",
    .optional,
    help: "The ID of an app, to show its pending content"
  )

  package static let spec = CommandSpec(
    "show",
    summary: "Show the quotas, the reserve and the pending content",
    discussion: """
      A quota that is not set is shown as -. The default reserve is 5 % of the state root's file system, but at \
      most 64 MiB. An app can have its own reserve, and so can a policy (freeReserve); the largest applies.
      """,
    arguments: [app],
    exitCodes: [ExitCode.unreadableStore]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let root = try CommonOptions.rootForReading(parsed, console)
    let quota = try CommandFailure.mappingStoreErrors { () throws(StoreError) in try QuotaStore(root).read() }
    guard let word = parsed.value(of: app) else {
      show(quota, parsed, console)
      return 0
    }
    let store = try CommonOptions.app(word, root)
    let standing = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try QuotaStatus.of(store, counting: .all)
    }
    show(standing, of: store, quota, parsed, console)
    return 0
  }

  /// Prints the usage and limits of an app.
  private static func show(
    _ standing: QuotaStatus,
    of store: AppStore,
    _ quota: StorageQuota,
    _ parsed: ParsedCommand,
    _ console: Console
  ) {
    let refusal = StorageRefusal(standing, of: store)
    let (reserve, own) = (standing.reserve, quota.reserves[store.id])
    if parsed.has(CommonOptions.json) {
      console.print(
        .object([
          "app": .string(store.id), "used": standing.used.json, "limit": standing.limit.json,
          "free": .integer(standing.space.free), "reserve": .integer(reserve.bytes),
          "reserveSource": .string(reserve.source.rawValue),
          "reserves": .object([
            "root": .integer(quota.reserve(of: standing.space.total).bytes),
            "app": own.map(JSONValue.integer),
          ]),
          "refusal": refusal.map { .string($0.description) },
        ])
      )
      return
    }
    console.print("pending  \(amount(standing.used))")
    console.print("limit    \(amount(standing.limit))")
    console.print("free     \(standing.space.free) bytes")
    console.print("reserve  \(reserve.bytes) bytes, \(reserve.source)")
    if let own, reserve.source != .app {
      console.print("         the reserve of the app, \(own) bytes, is not larger and has no effect")
    }
    if let refusal { console.print("no session can start: \(refusal)") }
  }

  /// Prints the configured limits.
  static func show(_ quota: StorageQuota, _ parsed: ParsedCommand, _ console: Console) {
    if parsed.has(CommonOptions.json) {
      console.print(quota.json)
      return
    }
    console.print(
      "reserve    \(quota.reserve.map { "\($0) bytes" } ?? "5 % of the file system, at most 64 MiB")"
    )
    console.print("every app  \(amount(quota.standard))")
    for app in quota.configuredApps {
      let reserve = quota.reserves[app].map { ", reserve \($0) bytes" } ?? ""
      console.print("\(app)  \(amount(quota.quota(of: app)))\(reserve)")
    }
  }

  private static func amount(_ quota: AppQuota) -> String {
    func text(_ number: Int64?, _ noun: String) -> String { number.map { counted($0, noun) } ?? "- \(noun)s" }
    return "\(text(quota.bytes, "byte")), \(text(quota.files, "file")), \(text(quota.sessions, "session"))"
  }
}
