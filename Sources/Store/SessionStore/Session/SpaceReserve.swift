// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Space that a session reserves so that its migration succeeds even on a full disk.
///
/// The space consists of files with allocated blocks. The record is written over one file and the journal
/// over another, which are then renamed, so that no other process can take the space in between.
///
/// If a step finds the disk full, the rest of the reserve is released for small growth: directories, the list
/// of the quarantine, and the session log. Empty files reserve inodes, of which some file systems have a
/// fixed number.
///
/// Most sessions do not need the reserve, and the next session reuses it (``SpareDirectory``).
package struct SpaceReserve: Sendable {
  /// A part of the reserve.
  enum Part: String, CaseIterable {
    /// The space for the record.
    case record
    /// The space for the journal with the outcome, and for all other needs.
    case general

    /// The initial size in bytes: enough for a journal and a record of some hundred files.
    var minimumBytes: Int {
      switch self {
      case .record: 64 << 10
      case .general: 128 << 10
      }
    }
  }

  private let places: SessionPaths

  /// Creates the reserve of a session.
  package init(_ places: SessionPaths) { self.places = places }

  /// The number of additional inodes, for the quarantine, its list, the session log and replaced documents.
  private static let inodes = 8
  /// The size in bytes of a file's entry in a record without its path: name, size, digest and changes.
  private static let bytesPerEntry: Int64 = 384
  /// The size in bytes of an item in the quarantine: a line of the list without its path, and a directory
  /// entry.
  private static let bytesPerItem: Int64 = 128

  private func path(_ name: String) -> String { "\(places.directory)/\(SessionPaths.reservePrefix)\(name)" }

  private func path(_ part: Part) -> String { path(part.rawValue) }

  /// The file for the record. Its name is durable together with the first journal.
  var recordFile: String { path(.record) }

  /// Reserves the initial space.
  func create() throws(SystemCallError) {
    for part in Part.allCases {
      // A file of an earlier session may have lost its blocks in a power failure.
      try FileSystem.open(path(part), [.write, .create, .noFollow]).allocate(
        bytes: part.minimumBytes,
        path: path(part)
      )
    }
  }

  /// Returns the space in bytes that a migration needs. If `withMargin`, it includes a margin for growth until the
  /// next measurement.
  private static func requiredBytes(_ part: Part, _ usage: ContentUsage, withMargin: Bool) -> Int64 {
    let entries = withMargin ? saturatingSum(usage.entries, usage.entries / 4 + 512) : usage.entries
    let paths = withMargin ? saturatingSum(usage.pathBytes, usage.pathBytes / 4) : usage.pathBytes
    let (each, all): (Int64, Int64) =
      switch part {
      // The path can occur twice.
      case .record: (bytesPerEntry, 2)
      case .general: (bytesPerItem, 1)
      }
    let (one, tooMany) = entries.multipliedReportingOverflow(by: each)
    let (other, tooLong) = paths.multipliedReportingOverflow(by: all)
    // Half of the initial size covers the fixed needs of a migration.
    return tooMany || tooLong ? .max : saturatingSum(saturatingSum(one, other), Int64(part.minimumBytes) / 2)
  }

  /// Grows the reserve to the needs of a migration. It never shrinks.
  ///
  /// - Parameters:
  ///   - usage: The current usage of the content.
  ///   - isFinal: Whether the content is final. Otherwise a margin for growth is included if there is space.
  ///   - kept: The space in bytes to leave free on the file system.
  ///
  /// - Throws: ``StoreError/noSpace(path:)`` or ``StoreError/kept(path:free:reserve:)`` if there is not
  ///   enough space for the current content.
  package func grow(for usage: ContentUsage, isFinal: Bool = false, keeping kept: Int64 = 0)
    throws(StoreError)
  {
    var hasGrown = false
    for part in Part.allCases where try grow(part, for: usage, isFinal: isFinal, keeping: kept) {
      hasGrown = true
    }
    guard hasGrown else { return }
    // The journal and record do not need these inodes, so a failure is ignored.
    for number in 1...Self.inodes {
      _ = try? FileSystem.open(path("\(number)"), [.write, .create, .noFollow])
    }
  }

  /// Grows a part of the reserve.
  ///
  /// - Returns: Whether it was too small.
  private func grow(
    _ part: Part,
    for usage: ContentUsage,
    isFinal: Bool,
    keeping kept: Int64
  ) throws(StoreError) -> Bool {
    let wanted = Self.requiredBytes(part, usage, withMargin: !isFinal)
    let held = try system { () throws(SystemCallError) in try open(part).status().allocated }
    if held >= wanted { return false }
    do throws(StoreError) {
      try extend(part, from: held, to: wanted, keeping: kept)
    } catch {
      let requiredBytes = Self.requiredBytes(part, usage, withMargin: false)
      guard error.isFull else { throw error }
      if held < requiredBytes { try extend(part, from: held, to: requiredBytes, keeping: kept) }
    }
    return true
  }

  private func extend(
    _ part: Part,
    from held: Int64,
    to bytes: Int64,
    keeping kept: Int64
  ) throws(StoreError) {
    let path = path(part)
    let free = try system { () throws(SystemCallError) in
      Int64(clamping: try FileSystem.freeSpace(places.directory))
    }
    guard bytes - held <= free else { throw .noSpace(path: path) }
    guard bytes - held <= free - kept else { throw .reserveReached(path: path, free: free, reserve: kept) }
    try system { () throws(SystemCallError) in
      try open(part).allocate(bytes: Int(clamping: bytes), path: path)
    }
  }

  private func open(_ part: Part) throws(SystemCallError) -> Descriptor {
    try FileSystem.open(path(part), [.write, .noFollow])
  }

  /// Releases the reserve except for the record's part.
  ///
  /// - Returns: Whether any was released.
  func release() throws(StoreError) -> Bool {
    let record = SessionPaths.reservePrefix + Part.record.rawValue
    // Earlier versions used a directory or file of this name.
    let earlier = "reserve"
    var isReleased = false
    do {
      for name in try FileSystem.names(in: places.directory)
      where name != record && (name.hasPrefix(SessionPaths.reservePrefix) || name == earlier) {
        try FileSystem.removeTree("\(places.directory)/\(name)")
        isReleased = true
      }
    } catch  where error.errno == .noSuchFile {
      // The session directory is already in the trash.
    } catch { throw .system(error) }
    return isReleased
  }

  /// Writes the outcome to the journal atomically, over reserved space if possible.
  ///
  /// The rename becomes durable with later changes of the directory. Until then, a power failure can restore
  /// the previous journal, which is less complete but not wrong.
  func writeEnded(_ journal: Journal) throws(SystemCallError) {
    try write(journal, over: path(.general), .temporary)
  }

  /// Writes the first journal atomically and durably, over a file of an earlier session if there is one.
  func writeFirst(_ journal: Journal) throws(SystemCallError) {
    try write(journal, over: journalFile, .durable)
  }

  /// Writes the journal of a launch atomically and durably, over its prepared file. Freeing the previous
  /// journal is not waited for.
  func writeLaunched(_ journal: Journal) throws(SystemCallError) {
    try write(journal, over: journalFile, .exchanged)
  }

  /// Creates a file with space for the journal of a launch.
  func createLaunchJournal() throws(SystemCallError) {
    try FileSystem.open(journalFile, [.write, .create, .noFollow]).allocate(bytes: 4 << 10, path: journalFile)
  }

  /// The file for a journal that must be durable.
  private var journalFile: String { "\(places.directory)/\(SpareDirectory.journal)" }

  private func write(
    _ journal: Journal,
    over reserved: String,
    _ use: FileSystem.ReservedUse
  ) throws(SystemCallError) {
    let (path, text) = (places.journalFile, journal.json.bytes(.indented))
    guard try isReserve(reserved) else { return try FileSystem.replaceContents(path, with: text) }
    try FileSystem.replaceContents(path, writtenOver: reserved, use) { (file) throws(SystemCallError) in
      try file.writeAll(text)
    }
  }

  /// Writes the text of a record over its reserved file, or returns `nil` if that does not exist.
  func startWriting(_ record: SessionRecord) throws(StoreError) -> RecordWrite? {
    guard try system({ () throws(SystemCallError) in try isReserve(recordFile) }) else { return nil }
    return try RecordWrite(record, over: recordFile)
  }

  /// Whether a reserved file is usable.
  ///
  /// After a power failure, some file systems show a renamed file under both names. Such a file must not be
  /// overwritten.
  private func isReserve(_ path: String) throws(SystemCallError) -> Bool {
    try FileSystem.status(path)?.links == 1
  }
}
