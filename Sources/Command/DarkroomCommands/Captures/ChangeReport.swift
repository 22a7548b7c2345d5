// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import JSONText
internal import SessionStore

/// Tells what was done with one session after the other; one that fails does not keep the others from it.
struct ChangeReport {
  private let app: AppStore
  private let key: String
  private let isJSON: Bool
  private let console: Console
  private var done: [JSONValue] = []
  private var failed: [JSONValue] = []
  private var firstFailure: CommandFailure?

  /// A report of a command, whose changes stand below `key` in the document for programs.
  init(_ parsed: ParsedCommand, _ console: Console, app: AppStore, key: String) {
    self.app = app
    self.key = key
    self.console = console
    isJSON = parsed.has(CommonOptions.json)
  }

  /// Does something with a session, and tells it: `change` gives it as data and as a line.
  mutating func attempt(
    _ session: SessionID,
    _ change: () throws(StoreError) -> (members: [JSONValue.Member], line: String)
  ) {
    do {
      let (members, line) = try change()
      done.append(.object([.init("session", .string(session.description))] + members))
      // At once: if this process ends early, people know what has been done.
      if !isJSON { console.print(line) }
    } catch {
      let failure = CommandFailure(error)
      firstFailure = firstFailure ?? failure
      failed.append(["session": .string(session.description), "reason": .string(failure.description)])
      console.note("darkroom: \(failure)")
    }
  }

  /// Writes the document, or a line if there was nothing to do, and gives the exit code.
  func conclude(emptily line: String) -> Int32 {
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
