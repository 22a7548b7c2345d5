// SPDX-License-Identifier: Apache-2.0

package import Digests
internal import JSONText
internal import LinuxPrimitives

/// What looking through the whole log came to.
package struct LogVerification: Hashable, Sendable {
  /// How many entries are right, from the first on.
  package var entries: Int64 = 0
  /// The last of them; nil if there is none.
  package var head: LogHead?
  /// The first entry that is wrong, by its line; nil if none is.
  package var wrong: Wrong?
  /// What became of a head that was kept elsewhere; nil if none was given.
  package var kept: Kept?
  /// The length of what a crash has left of a line, which the next entry moves aside.
  package var torn: Int64 = 0
  /// The entries that say that something was moved aside.
  package var mended: [Int64] = []
  /// Published records that are not as they were when their entry was written.
  package var changedRecords: [ChangedRecord] = []

  /// Nothing was looked at yet.
  package init() {}

  /// An entry that is wrong.
  package struct Wrong: Hashable, Sendable {
    /// The number of its line, from 1.
    package var line: Int64
    /// What is wrong.
    package var fault: LogFault
  }

  /// Whether a head that was kept elsewhere is still in the chain.
  package enum Kept: Hashable, Sendable {
    /// It is.
    case found(LogHead)
    /// The chain ends before it: entries at the end were removed.
    case cut(LogHead)
    /// Another entry is in its place: it or one before it was exchanged.
    case exchanged(LogHead, is: SHA256Digest)
  }

  /// A record that is not as it was.
  package struct ChangedRecord: Hashable, Sendable {
    /// The entry's number.
    package var sequence: Int64
    /// The record's file.
    package var path: String
  }

  /// Whether nothing is wrong.
  package var isRight: Bool {
    guard wrong == nil, changedRecords.isEmpty else { return false }
    switch kept {
    case nil, .found: return true
    case .cut, .exchanged: return false
    }
  }
}

extension SessionLog {
  /// Looks through the whole log: every entry, the chain, the published records, and a head that was kept elsewhere.
  ///
  /// It ends at the first entry that is wrong, because nothing after it proves anything.
  package func verify(kept: LogHead? = nil) throws(StoreError) -> LogVerification {
    var result = LogVerification()
    var found: SHA256Digest?
    guard let file = try openSettled() else {
      result.kept = kept.map { .cut($0) }
      return result
    }
    var lines = try LinesFromStart(file)
    while let line = try lines.next() {
      do throws(LogReadingError) {
        let entry = try Self.follow(result.head, line)
        if entry.sequence == kept?.sequence { found = entry.digest }
        if entry.note.kind == .mended { result.mended.append(entry.sequence) }
        result.entries += 1
        result.head = entry.head
        try compare(entry, &result)
      } catch {
        switch error {
        case .fault(let fault): result.wrong = .init(line: result.entries + 1, fault: fault)
        case .store(let error): throw error
        }
      }
      if result.wrong != nil { break }
    }
    if result.wrong == nil { result.torn = Int64(lines.rest.count) }
    if let kept {
      result.kept = found.map { $0 == kept.digest ? .found(kept) : .exchanged(kept, is: $0) } ?? .cut(kept)
    }
    return result
  }

  /// The open log between two writers, so that no line is seen while it is written; nil if there is none.
  private func openSettled() throws(StoreError) -> Descriptor? {
    guard let file = try Self.openForReading(root) else { return nil }
    let lock = try lockDirectory(root.logDirectory)
    _ = lock
    return file
  }

  /// Reads a line that has to follow the entry with this head.
  private static func follow(_ head: LogHead?, _ line: [UInt8]) throws(LogReadingError) -> LogEntry {
    // The digest is that of the whole line; what it has of the record need not be read for that.
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

  /// Sees that the published record of an entry, if there still is one, is the one that was there then.
  private func compare(_ entry: LogEntry, _ result: inout LogVerification) throws(LogReadingError) {
    guard let session = entry.note.session, let app = try? root.app(session.app) else { return }
    let path = app.record(session.id)
    do throws(StoreError) {
      guard let digest = try Self.digestAsWritten(path), digest != session.recordDigest else { return }
    } catch .damaged {
      // No record any more, so not the one that was there.
    } catch { throw .store(error) }
    result.changedRecords.append(.init(sequence: entry.sequence, path: path))
  }

  /// The digest that the file of a record had before receipts were added: that of the session's directory, and that of
  /// the content, with which the app was through. Nil if there is no file.
  static func digestAsWritten(_ path: String) throws(StoreError) -> SHA256Digest? {
    guard let record = try Document.read(path) else { return nil }
    let later: Set<String?> = [HandOver.erasureName, DeliveredContent.erasureName]
    let members = (record.members ?? []).map { member in
      guard member.name == "erased" else { return member }
      let others = member.value.elements?.filter { !later.contains($0["what"]?.string) }
      return JSONValue.Member(member.name, others.map(JSONValue.array) ?? member.value)
    }
    return try LogLine.digest(of: JSONValue.object(members).bytes(.indented))
  }
}
