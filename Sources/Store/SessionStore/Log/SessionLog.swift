// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// The log of all sessions of a state root: one line each, chained by digests, to which lines are only appended.
///
/// Whoever can write to the state root can write a whole new chain. What shows that is a ``LogHead`` that is kept where
/// they cannot.
package struct SessionLog: Sendable {
  let root: StateRoot

  /// The log of a state root; nothing is made before there is something to write.
  package init(_ root: StateRoot) { self.root = root }

  /// Whether an entry may be there already.
  package enum Repetition: Sendable {
    /// It cannot: whoever asks has just run the session.
    case impossible
    /// It can: a host that died may have written it. The log is searched from its end.
    case possible
  }

  /// Appends an entry and makes it durable. Gives the entry, or nil if the session had one already.
  ///
  /// Only the last line is read. What a crash has left of one is moved aside first, and noted by an entry of its own.
  @discardableResult
  package func append(
    _ note: LogNote,
    _ repetition: Repetition = .impossible
  ) throws(StoreError) -> LogEntry? {
    try StateRoot.prepareDirectory(root.logDirectory)
    let lock = try lockDirectory(root.logDirectory)
    let file = try open()
    if repetition == .possible, let session = note.session?.id, try contains(session) {
      // Whoever wrote it may have died before it was durable, and what follows relies on it.
      try system { () throws(SystemCallError) in try file.synchronize() }
      return nil
    }
    var end = try LogEnd.find(root)
    if let mended = try mend(&end) { end = try write(mended, file, after: end) }
    end = try write(note, file, after: end)
    _ = lock
    return end.entry
  }

  private func open() throws(StoreError) -> Descriptor {
    try system { () throws(SystemCallError) in
      let file = try FileSystem.open(root.logFile, [.readWrite, .create, .append, .noFollow])
      // An empty one may have been made just now; its name must be as durable as its lines.
      if try file.status().size == 0 { try FileSystem.synchronizeDirectory(root.logDirectory) }
      return file
    }
  }

  /// Writes one line at the end and makes it durable.
  private func write(
    _ note: LogNote,
    _ file: borrowing Descriptor,
    after end: LogEnd
  ) throws(StoreError) -> LogEnd {
    let (line, entry) = try LogLine.write(note, sequence: end.next, previous: end.digest)
    do {
      try file.writeAll(line + [UInt8(ascii: "\n")])
      try file.synchronize()
    } catch {
      // A part of a line is no loss, but it is mended sooner if it is not there.
      try? file.truncate(to: end.length)
      throw .system(error)
    }
    return LogEnd(entry: entry, length: end.length + Int64(line.count) + 1, torn: [])
  }

  /// Moves aside what a crash has left of a line; the note that says so, or nil if there is nothing to say.
  ///
  /// The copy is durable before the line is cut off, and has the number of the entry that will say so in its name: a
  /// crash in between leaves a copy that the next append finds and notes.
  private func mend(_ end: inout LogEnd) throws(StoreError) -> LogNote? {
    if !end.torn.isEmpty {
      try StateRoot.prepareDirectory(root.logAsideDirectory)
      let digest = try LogLine.digest(of: end.torn)
      let path = "\(root.logAsideDirectory)/\(end.next)-\(hexadecimalText(Array(digest.bytes.prefix(8))))"
      let (torn, length) = (end.torn, end.length)
      try system { () throws(SystemCallError) in
        try FileSystem.replaceContents(path, with: torn)
        let file = try FileSystem.open(root.logFile, [.write, .noFollow])
        try file.truncate(to: length)
        try file.synchronize()
      }
      end.torn = []
    }
    let aside = try asideNames(end.next)
    guard !aside.isEmpty else { return nil }
    var note = LogNote(.mended, at: WallClock.milliseconds)
    for name in aside {
      let bytes = try system { () throws(SystemCallError) in
        try FileSystem.contents("\(root.logAsideDirectory)/\(name)") ?? []
      }
      note.aside.append(
        .init(file: name, bytes: Int64(bytes.count), digest: try LogLine.digest(of: bytes))
      )
    }
    return note
  }

  /// The names of what was moved aside for the entry with this number.
  private func asideNames(_ sequence: Int64) throws(StoreError) -> [String] {
    do throws(SystemCallError) {
      return try FileSystem.names(in: root.logAsideDirectory)
        .filter { $0.hasPrefix("\(sequence)-") && !$0.contains(".new.") }
    } catch  where error.errno == .noSuchFile {
      return []
    } catch { throw .system(error) }
  }

  /// Whether a session has an entry. The lock is held.
  private func contains(_ session: SessionID) throws(StoreError) -> Bool {
    guard let file = try Self.openForReading(root) else { return false }
    var lines = try LinesFromEnd(file)
    while let line = try lines.next() {
      if LogLine.isAbout(session, line) { return true }
    }
    return false
  }

  /// The open log; nil if there is none.
  static func openForReading(_ root: StateRoot) throws(StoreError) -> Descriptor? {
    do { return try FileSystem.open(root.logFile, [.noFollow]) } catch
      where error.errno == .noSuchFile || error.errno == .notADirectory
    {
      return nil
    } catch { throw .system(error) }
  }
}

/// The end of the log: what the next entry has to follow.
struct LogEnd {
  /// The last entry; nil if there is none.
  var entry: LogEntry?
  /// The length of the file up to the end of the last whole line.
  var length: Int64
  /// What follows it.
  var torn: [UInt8]

  /// The number of the next entry.
  var next: Int64 { (entry?.sequence ?? 0) + 1 }
  /// The digest that the next entry has to name.
  var digest: SHA256Digest { entry?.digest ?? .zero }

  /// Reads the end of a log. A last line that is whole and not as it was written is a fault: no crash makes one.
  static func find(_ root: StateRoot) throws(StoreError) -> LogEnd {
    guard let file = try SessionLog.openForReading(root) else {
      return LogEnd(entry: nil, length: 0, torn: [])
    }
    let size = try LinesFromEnd.size(file)
    var lines = try LinesFromEnd(file)
    let length = size - Int64(lines.torn.count)
    guard let last = try lines.next() else {
      return LogEnd(entry: nil, length: length, torn: lines.torn)
    }
    do throws(LogReadingError) {
      return LogEnd(entry: try LogEntry.checked(last, .summary), length: length, torn: lines.torn)
    } catch {
      switch error {
      case .fault(let fault): throw .logDamaged(path: root.logFile, fault)
      case .store(let error): throw error
      }
    }
  }
}

/// Why a line is not taken for an entry.
enum LogReadingError: Error {
  /// It is wrong.
  case fault(LogFault)
  /// It could not be looked at.
  case store(StoreError)
}

extension LogEntry {
  /// Reads a line and sees that it has the digest that it says.
  static func checked(_ line: [UInt8], _ part: LogPart) throws(LogReadingError) -> LogEntry {
    let entry: LogEntry
    do throws(DocumentFault) { entry = try LogLine.read(line, part) } catch {
      throw .fault(.unreadable(error))
    }
    let computed: SHA256Digest?
    do throws(StoreError) { computed = try LogLine.computedDigest(of: line) } catch { throw .store(error) }
    guard let computed else {
      throw .fault(.unreadable(.member("digest", expected: "the last member of the line")))
    }
    guard computed == entry.digest else { throw .fault(.changed(says: entry.digest, is: computed)) }
    return entry
  }
}
