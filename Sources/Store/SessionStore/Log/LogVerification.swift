// SPDX-License-Identifier: Apache-2.0

package import Digests
internal import JSONText
internal import LinuxPrimitives

/// The result of a verification of the session log.
package struct LogVerification: Hashable, Sendable {
  /// The number of valid entries from the start.
  package var entries: Int64 = 0
  /// The head of the last valid entry, or `nil` if there is none.
  package var head: LogHead?
  /// The first invalid entry, or `nil` if all are valid.
  package var invalidEntry: InvalidEntry?
  /// The comparison with a stored head, or `nil` if none was given.
  package var headComparison: HeadComparison?
  /// The length in bytes of a truncated last line, which the next append moves to another file.
  package var torn: Int64 = 0
  /// The sequence numbers of entries that report a repair.
  package var repairs: [Int64] = []
  /// The published records that have changed since their entries were written.
  package var changedRecords: [ChangedRecord] = []

  /// Creates an empty result.
  package init() {}

  /// An invalid entry.
  package struct InvalidEntry: Hashable, Sendable {
    /// The line number, starting at 1.
    package var line: Int64
    /// The defect.
    package var fault: LogFault
  }

  /// The result of comparing a stored head with the chain.
  package enum HeadComparison: Hashable, Sendable {
    /// The chain contains the head.
    case found(LogHead)
    /// The chain is shorter: entries at the end were removed.
    case truncated(LogHead)
    /// The chain has another entry at that position: it or an earlier one was replaced.
    case replaced(LogHead, is: SHA256Digest)
  }

  /// A record that has changed since its entry was written.
  package struct ChangedRecord: Hashable, Sendable {
    /// The sequence number of the entry.
    package var sequence: Int64
    /// The path of the record.
    package var path: String
  }

  /// Whether the log, the records and the stored head are all valid.
  package var isValid: Bool {
    guard invalidEntry == nil, changedRecords.isEmpty else { return false }
    switch headComparison {
    case nil, .found: return true
    case .truncated, .replaced: return false
    }
  }
}

extension SessionLog {
  /// Verifies the entries, their chain, the published records and a head that was stored elsewhere (`headComparison`).
  ///
  /// Verification stops at the first invalid entry, because later entries prove nothing.
  package func verify(kept: LogHead? = nil) throws(StoreError) -> LogVerification {
    var result = LogVerification()
    var found: SHA256Digest?
    guard let file = try openBetweenWrites() else {
      result.headComparison = kept.map { .truncated($0) }
      return result
    }
    var lines = try ForwardLineReader(file)
    while let line = try lines.next() {
      do throws(LogReadingError) {
        let entry = try Self.readSuccessor(result.head, line)
        if entry.sequence == kept?.sequence { found = entry.digest }
        if entry.note.kind == .repaired { result.repairs.append(entry.sequence) }
        result.entries += 1
        result.head = entry.head
        try compare(entry, &result)
      } catch {
        switch error {
        case .fault(let fault): result.invalidEntry = .init(line: result.entries + 1, fault: fault)
        case .store(let error): throw error
        }
      }
      if result.invalidEntry != nil { break }
    }
    if result.invalidEntry == nil { result.torn = Int64(lines.rest.count) }
    if let kept {
      result.headComparison =
        found.map { $0 == kept.digest ? .found(kept) : .replaced(kept, is: $0) } ?? .truncated(kept)
    }
    return result
  }

  /// Opens the log while no writer is active, or returns `nil` if there is no log. Otherwise an incomplete
  /// line could be read.
  private func openBetweenWrites() throws(StoreError) -> Descriptor? {
    guard let file = try Self.openForReading(root) else { return nil }
    let lock = try lockDirectory(root.logDirectory)
    _ = lock
    return file
  }

  /// Parses a line that must be the successor of the given head.
  private static func readSuccessor(_ head: LogHead?, _ line: [UInt8]) throws(LogReadingError) -> LogEntry {
    // The digest covers the whole line, so the record need not be parsed.
    let entry = try LogEntry.checked(line, .summary)
    let expected = (head?.sequence ?? 0) + 1
    guard entry.sequence == expected else {
      throw .fault(.outOfOrder(says: entry.sequence, expected: expected))
    }
    let before = head?.digest ?? .zero
    guard entry.previous == before else {
      throw .fault(.notChained(says: entry.previous, expected: before))
    }
    return entry
  }

  /// Compares the published record of an entry, if it exists, with the digest in the entry.
  private func compare(_ entry: LogEntry, _ result: inout LogVerification) throws(LogReadingError) {
    guard let session = entry.note.session, let app = try? root.app(session.app) else { return }
    let path = app.record(session.id)
    do throws(StoreError) {
      guard let digest = try Self.digestAsWritten(path), digest != session.recordDigest else { return }
    } catch .damaged {
      // The file is no longer a record, so it has changed.
    } catch { throw .store(error) }
    result.changedRecords.append(.init(sequence: entry.sequence, path: path))
  }

  /// Returns the original digest of a record file, or `nil` if the file does not exist.
  ///
  /// The computation leaves out the receipts that are added later: those of the session directory and of
  /// invalidated content.
  static func digestAsWritten(_ path: String) throws(StoreError) -> SHA256Digest? {
    guard let record = try Document.read(path) else { return nil }
    let later: Set<String?> = [Migration.erasureTarget, DeliveredContent.erasureTarget]
    let members = (record.members ?? []).map { member in
      guard member.name == "erased" else { return member }
      let others = member.value.elements?.filter { !later.contains($0["what"]?.string) }
      return JSONValue.Member(member.name, others.map(JSONValue.array) ?? member.value)
    }
    return try LogLine.digest(of: JSONValue.object(members).bytes(.indented))
  }
}
