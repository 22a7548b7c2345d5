// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

/// Operations on the app context: `set TEXT`, `replace OLD NEW` and `clear`. A text has no spaces.
struct AppContextOperations {
  private let world: WorkerEnvironment

  init(_ world: WorkerEnvironment) { self.world = world }

  /// Changes the context.
  func run(_ words: [String]) throws {
    try world.root.prepare()
    let store = AppContextStore(try world.app())
    let new: String? = words.first == "clear" ? nil : words.last
    try world.acknowledgments.note("setting \(new ?? "-")")
    switch words.first {
    case "set" where words.count == 2: try store.set(.string(words[1]))
    case "replace" where words.count == 3:
      let change = try store.replace(.string(words[2]), ifStored: .string(words[1]))
      guard case .stored = change else { throw WorkerError("the context was another") }
    case "clear": try store.clear()
    default: throw WorkerError("context set TEXT | replace OLD NEW | clear")
    }
    try world.acknowledgments.note("set \(new ?? "-")")
  }
}
