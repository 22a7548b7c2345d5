// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import PolicyExplanation
internal import SessionStore

/// The selection of an app's sessions in a command: the named sessions, or all of them.
enum SessionSelection {
  /// The argument that names the sessions.
  static let sessions = ArgumentSpec(
    "SESSION",
    .many(atLeast: 0),
    help: "The session IDs from 'darkroom content list'"
  )
  /// The option that selects every session.
  static let all = OptionSpec.flag("all", help: "Select all sessions with pending content")

  /// Returns the selected sessions.
  ///
  /// - Throws: A `CommandFailure` if a named session does not exist, before any session is changed.
  static func sessions(
    _ parsed: ParsedCommand,
    of app: AppStore
  ) throws(CommandFailure) -> [DeliveredSession] {
    let words = parsed.values(of: sessions)
    guard words.isEmpty == parsed.has(all) else {
      throw CommandFailure(
        .usage,
        "give either session IDs or --all; see 'darkroom \(name(parsed)) --help'"
      )
    }
    let present = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try DeliveredContent(app).list()
    }
    return words.isEmpty ? present : try named(words, present, app)
  }

  private static func named(
    _ words: [String],
    _ present: [DeliveredSession],
    _ app: AppStore
  ) throws(CommandFailure) -> [DeliveredSession] {
    var chosen: [DeliveredSession] = []
    var seen: Set<String> = []
    let byName = Dictionary(present.map { ($0.id.description, $0) }) { first, _ in first }
    for word in words {
      guard let session = byName[word] else {
        let question = NearestNames.suggestionSuffix(for: word, among: present.map(\.id.description))
        let fix =
          question.isEmpty ? "; 'darkroom content list \(app.id)' lists the sessions with content" : question
        throw CommandFailure(
          .missing,
          "\(app.id) has no content of session '\(TextTable.printable(word))'\(fix)"
        )
      }
      // A repeated session ID selects the session once.
      if seen.insert(word).inserted { chosen.append(session) }
    }
    return chosen
  }

  private static func name(_ parsed: ParsedCommand) -> String { parsed.names.joined(separator: " ") }
}
