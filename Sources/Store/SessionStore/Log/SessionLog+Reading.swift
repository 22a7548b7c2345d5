// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives

extension SessionLog {
  /// Calls a closure with each entry from newest to oldest, until the closure stops the iteration.
  ///
  /// An unreadable line is passed as its defect. A truncated last line is skipped. The records are included
  /// only if `part` requests them.
  package func forEachFromNewest(
    _ part: LogEntryPart = .summary,
    _ body: (Result<LogEntry, LogFault>) throws(StoreError) -> Continuation
  ) throws(StoreError) {
    guard let file = try Self.openForReading(root) else { return }
    var lines = try BackwardLineReader(file)
    while let line = try lines.next() {
      let entry: Result<LogEntry, LogFault>
      do throws(DocumentFault) { entry = .success(try LogLine.read(line, part)) } catch {
        entry = .failure(.unreadable(error))
      }
      if try body(entry) == .stop { return }
    }
  }

  /// Whether an iteration continues.
  package enum Continuation: Sendable {
    /// Continue with the next entry.
    case more
    /// Stop the iteration.
    case stop
  }

  /// A search key for an entry.
  package enum Key: Hashable, Sendable {
    /// The sequence number.
    case sequence(Int64)
    /// The session that the entry concerns.
    case session(SessionID)
  }

  /// Returns the matching entry with its record, or `nil` if there is none.
  package func entry(_ key: Key) throws(StoreError) -> LogEntry? {
    guard let file = try Self.openForReading(root) else { return nil }
    var lines = try BackwardLineReader(file)
    while let line = try lines.next() {
      switch key {
      case .session(let id) where !LogLine.isAbout(id, line): continue
      case .sequence(let sequence):
        // The sequence number of an unreadable line is unknown.
        guard (try? LogLine.read(line, .summary))?.sequence == sequence else { continue }
      case .session: break
      }
      do { return try LogLine.read(line, .whole) } catch {
        throw .logDamaged(path: root.logFile, .unreadable(error))
      }
    }
    return nil
  }

  /// Returns the head of the newest entry, or `nil` if the log is empty.
  package func head() throws(StoreError) -> LogHead? { try LogTail.find(root).entry?.head }
}
