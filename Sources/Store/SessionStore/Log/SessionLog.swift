// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import JSONText
internal import LinuxPrimitives

/// The append-only log of all sessions of a state root, with one line for each session and a chain of
/// digests.
///
/// A process that can write to the state root can replace the whole chain. Only a ``LogHead`` that is stored
/// out of its reach reveals this.
package struct SessionLog: Sendable {
  let root: StateRoot

  /// Creates the log of a state root. The file is created with the first entry.
  package init(_ root: StateRoot) { self.root = root }

  /// Whether the session may already have an entry.
  package enum DuplicateCheck: Sendable {
    /// The session cannot have an entry, because this process has just run it.
    case unnecessary
    /// A host that died may have written the entry. The log is searched backward.
    case required
  }

  /// Appends an entry and makes it durable.
  ///
  /// Only the last line is read. A truncated last line is moved to another file first, which a separate entry
  /// reports.
  ///
  /// - Returns: The entry, or `nil` if the session already has one.
  @discardableResult
  package func append(
    _ note: LogNote,
    _ duplicateCheck: DuplicateCheck = .unnecessary
  ) throws(StoreError) -> LogEntry? {
    try StateRoot.prepareDirectory(root.logDirectory)
    let lock = try lockDirectory(root.logDirectory)
    let file = try open()
    if duplicateCheck == .required, let session = note.session?.id, try contains(session) {
      // The process that wrote the entry may have died before it was durable, and later steps rely on it.
      try system { () throws(SystemCallError) in try file.synchronize() }
      return nil
    }
    var end = try LogTail.find(root)
    if let mended = try repair(&end) { end = try write(mended, file, after: end) }
    end = try write(note, file, after: end)
    _ = lock
    return end.entry
  }

  private func open() throws(StoreError) -> Descriptor {
    try system { () throws(SystemCallError) in
      let file = try FileSystem.open(root.logFile, [.readWrite, .create, .append, .noFollow])
      // An empty file may be new. Its name must be as durable as its lines.
      if try file.status().size == 0 { try FileSystem.synchronizeDirectory(root.logDirectory) }
      return file
    }
  }

  /// Appends a line and makes it durable.
  private func write(
    _ note: LogNote,
    _ file: borrowing Descriptor,
    after end: LogTail
  ) throws(StoreError) -> LogTail {
    let (line, entry) = try LogLine.write(note, sequence: end.next, previous: end.digest)
    do {
      try file.writeAll(line + [UInt8(ascii: "\n")])
      try file.synchronize()
    } catch {
      // A partial line is harmless, but removing it now avoids a repair entry.
      try? file.truncate(to: end.length)
      throw .system(error)
    }
    return LogTail(entry: entry, length: end.length + Int64(line.count) + 1, torn: [])
  }

  /// Moves a truncated last line to another file.
  ///
  /// The copy is durable before the log is truncated, and its name contains the sequence number of the entry
  /// that reports it. After a crash in between, the next append finds and reports the copy.
  ///
  /// - Returns: The contents of the repair entry, or `nil` if no repair is needed.
  private func repair(_ end: inout LogTail) throws(StoreError) -> LogNote? {
    if !end.torn.isEmpty {
      try StateRoot.prepareDirectory(root.logQuarantineDirectory)
      let digest = try LogLine.digest(of: end.torn)
      let path =
        "\(root.logQuarantineDirectory)/\(end.next)-\(hexadecimalText(Array(digest.bytes.prefix(8))))"
      let (torn, length) = (end.torn, end.length)
      try system { () throws(SystemCallError) in
        try FileSystem.replaceContents(path, with: torn)
        let file = try FileSystem.open(root.logFile, [.write, .noFollow])
        try file.truncate(to: length)
        try file.synchronize()
      }
      end.torn = []
    }
    let aside = try quarantinedNames(end.next)
    guard !aside.isEmpty else { return nil }
    var note = LogNote(.repaired, at: WallClock.milliseconds)
    for name in aside {
      let bytes = try system { () throws(SystemCallError) in
        try FileSystem.contents("\(root.logQuarantineDirectory)/\(name)") ?? []
      }
      note.quarantined.append(
        .init(file: name, bytes: Int64(bytes.count), digest: try LogLine.digest(of: bytes))
      )
    }
    return note
  }

  /// Returns the names of the files with truncated lines that the given entry must report.
  private func quarantinedNames(_ sequence: Int64) throws(StoreError) -> [String] {
    do throws(SystemCallError) {
      return try FileSystem.names(in: root.logQuarantineDirectory)
        .filter { $0.hasPrefix("\(sequence)-") && !$0.contains(".new.") }
    } catch  where error.errno == .noSuchFile {
      return []
    } catch { throw .system(error) }
  }

  /// Whether a session has an entry. The caller must hold the lock.
  private func contains(_ session: SessionID) throws(StoreError) -> Bool {
    guard let file = try Self.openForReading(root) else { return false }
    var lines = try BackwardLineReader(file)
    while let line = try lines.next() {
      if LogLine.isAbout(session, line) { return true }
    }
    return false
  }

  /// Opens the log, or returns `nil` if there is none.
  static func openForReading(_ root: StateRoot) throws(StoreError) -> Descriptor? {
    do { return try FileSystem.open(root.logFile, [.noFollow]) } catch
      where error.errno == .noSuchFile || error.errno == .notADirectory
    {
      return nil
    } catch { throw .system(error) }
  }
}

/// The end of the log, which the next entry follows.
struct LogTail {
  /// The last entry, or `nil` if there is none.
  var entry: LogEntry?
  /// The length of the file in bytes up to the end of the last complete line.
  var length: Int64
  /// The bytes after the last complete line.
  var torn: [UInt8]

  /// The sequence number of the next entry.
  var next: Int64 { (entry?.sequence ?? 0) + 1 }
  /// The digest of the last entry, to which the next entry is chained.
  var digest: SHA256Digest { entry?.digest ?? .zero }

  /// Reads the end of a log. A complete but invalid last line is an error, because a crash cannot cause one.
  static func find(_ root: StateRoot) throws(StoreError) -> LogTail {
    guard let file = try SessionLog.openForReading(root) else {
      return LogTail(entry: nil, length: 0, torn: [])
    }
    let size = try BackwardLineReader.size(file)
    var lines = try BackwardLineReader(file)
    let length = size - Int64(lines.torn.count)
    guard let last = try lines.next() else {
      return LogTail(entry: nil, length: length, torn: lines.torn)
    }
    do throws(LogReadingError) {
      return LogTail(entry: try LogEntry.checked(last, .summary), length: length, torn: lines.torn)
    } catch {
      switch error {
      case .fault(let fault): throw .logDamaged(path: root.logFile, fault)
      case .store(let error): throw error
      }
    }
  }
}

/// An error of reading an entry.
enum LogReadingError: Error {
  /// The line is not a valid entry.
  case fault(LogFault)
  /// The line could not be read.
  case store(StoreError)
}

extension LogEntry {
  /// Parses a line and verifies its digest.
  static func checked(_ line: [UInt8], _ part: LogEntryPart) throws(LogReadingError) -> LogEntry {
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
