// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

extension SessionLog {
  /// Gives the entries from the newest to the oldest, as long as `body` wants more; without records, unless they are asked
  /// for.
  ///
  /// A line that cannot be read is given as the fault that it has. What a crash has left of a line is no entry.
  package func eachFromNewest(
    _ part: LogPart = .summary,
    _ body: (Result<LogEntry, LogFault>) throws(StoreError) -> Continuation
  ) throws(StoreError) {
    guard let file = try Self.openForReading(root) else { return }
    var lines = try LinesFromEnd(file)
    while let line = try lines.next() {
      let entry: Result<LogEntry, LogFault>
      do throws(DocumentFault) { entry = .success(try LogLine.read(line, part)) } catch {
        entry = .failure(.unreadable(error))
      }
      if try body(entry) == .stop { return }
    }
  }

  /// Whether whoever looks through the log wants more of it.
  package enum Continuation: Sendable {
    /// They do.
    case more
    /// They do not.
    case stop
  }

  /// What an entry is looked up by.
  package enum Key: Hashable, Sendable {
    /// Its number.
    case sequence(Int64)
    /// The session that it is about.
    case session(SessionID)
  }

  /// An entry with its record; nil if there is none.
  package func entry(_ key: Key) throws(StoreError) -> LogEntry? {
    guard let file = try Self.openForReading(root) else { return nil }
    var lines = try LinesFromEnd(file)
    while let line = try lines.next() {
      switch key {
      case .session(let id) where !LogLine.isAbout(id, line): continue
      case .sequence(let sequence):
        // A line that cannot be read has no number.
        guard (try? LogLine.read(line, .summary))?.sequence == sequence else { continue }
      case .session: break
      }
      do { return try LogLine.read(line, .whole) } catch {
        throw .logDamaged(path: root.logFile, .unreadable(error))
      }
    }
    return nil
  }

  /// The newest entry's place and digest; nil if there is no entry.
  package func head() throws(StoreError) -> LogHead? { try LogEnd.find(root).entry?.head }
}
