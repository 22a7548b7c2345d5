// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PolicyExplanation
internal import SessionStore

/// The output of `darkroom content watch`.
struct WatchOutput {
  /// The app whose content is watched.
  let app: AppStore
  /// Whether the output is JSON.
  let isJSON: Bool
  /// The console to which the output is written.
  let console: Console

  /// Prints an update, on one line or more.
  func print(_ update: ContentUpdate) {
    if isJSON { return console.printLine(json(update)) }
    switch update {
    case .initial(let sessions): for session in sessions { console.print(line("initial", session)) }
    case .added(let session): console.print(line("added  ", session))
    case .removed(let id): console.print("removed  \(id)")
    }
  }

  private func line(_ word: String, _ session: DeliveredSession) -> String {
    "\(word)  \(session.id)  \(ContentOutput.sizeText(session))  \(TextTable.printable(session.path))"
  }

  private func json(_ update: ContentUpdate) -> JSONValue {
    switch update {
    case .initial(let sessions):
      ["type": "initial", "app": .string(app.id), "sessions": .array(sessions.map(ContentOutput.json))]
    case .added(let session):
      ["type": "added", "app": .string(app.id), "session": ContentOutput.json(session)]
    case .removed(let id): ["type": "removed", "app": .string(app.id), "session": .string(id.description)]
    }
  }
}
