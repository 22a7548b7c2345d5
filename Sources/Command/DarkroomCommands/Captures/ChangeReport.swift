// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import JSONText
internal import SessionStore

/// The report of a command that changes several sessions. A failure with one session does not stop the
/// others.
struct ChangeReport {
  private let app: AppStore
  private let key: String
  private let isJSON: Bool
  private let console: Console
  private var done: [JSONValue] = []
  private var failed: [JSONValue] = []
  private var firstFailure: CommandFailure?

  /// Creates an empty report. `key` is the key of the changes in the JSON document.
  init(_ parsed: ParsedCommand, _ console: Console, app: AppStore, key: String) {
    self.app = app
    self.key = key
    self.console = console
    isJSON = parsed.has(CommonOptions.json)
  }

  /// Applies a change to a session, and reports the result.
  ///
  /// `change` returns the result as JSON members and as a line of text.
  mutating func attempt(
    _ session: SessionID,
    _ change: () throws(StoreError) -> (members: [JSONValue.Member], line: String)
  ) {
    do {
      let (members, line) = try change()
      done.append(.object([.init("session", .string(session.description))] + members))
      // Each line is printed at once, so that the output is complete up to the point where the process is
      // killed.
      if !isJSON { console.print(line) }
    } catch {
      let failure = CommandFailure(error)
      firstFailure = firstFailure ?? failure
      failed.append(["session": .string(session.description), "reason": .string(failure.description)])
      console.note("darkroom: \(failure)")
    }
  }

  /// Prints the JSON document, or `line` if there were no changes. Returns the exit code of the first
  /// failure, or 0.
  func conclude(noteIfEmpty line: String) -> Int32 {
    if isJSON {
      let members: [JSONValue.Member] = [
        .init("app", .string(app.id)), .init(key, .array(done)), .init("failed", .array(failed)),
      ]
      console.print(JSONValue.object(members))
    } else if done.isEmpty && failed.isEmpty {
      console.note(line)
    }
    return firstFailure?.code.rawValue ?? 0
  }
}
