// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// What a session sets aside while there is some, so that its hand-over succeeds on a full disk.
///
/// Space is set aside as files that have blocks. The record is written over one, the journal over the other, which then get
/// the name: so nobody can take that space in between. What the journal does not need is given back when a step of the hand-over
/// finds the disk full, and is for what grows by a little: directories, the list of the quarantine, the session log. Files
/// without contents set aside the inodes, of which some file systems have a fixed number.
///
/// Most sessions end on a disk that is not full, and what they did not need is the next one's (``SpareDirectory``).
package struct SpaceReserve: Sendable {
  /// What a part of the reserve is for.
  enum Part: String, CaseIterable {
    /// The record.
    case record
    /// The journal, as it is when the session has ended, and everything else.
    case general

    /// What is set aside for it at the beginning: enough for some hundreds of files, and for a journal.
    var least: Int {
      switch self {
      case .record: 64 << 10
      case .general: 128 << 10
      }
    }
  }

  private let places: SessionPlaces

  /// The reserve of a session.
  package init(_ places: SessionPlaces) { self.places = places }

  /// How many inodes are set aside beside those of the parts: quarantine, its list, the log and what replaces documents.
  private static let inodes = 8
  /// The part of a record that names a file, without its path: name, size, digest, and what was changed.
  private static let bytesOfEntry: Int64 = 384
  /// A line of the quarantine's list without its path, and a name in its directory.
  private static let bytesOfItem: Int64 = 128

  private func path(_ name: String) -> String { "\(places.directory)/\(SessionPlaces.reservePrefix)\(name)" }

  private func path(_ part: Part) -> String { path(part.rawValue) }

  /// The file that the record is written over. Its name is as durable as the session's first journal.
  var recordFile: String { path(.record) }

  /// Sets aside what every session needs.
  func make() throws(SystemCallError) {
    for part in Part.allCases {
      // What an earlier session has left may have lost its blocks in a power failure.
      try FileSystem.open(path(part), [.write, .create, .noFollow]).allocate(
        bytes: part.least,
        path: path(part)
      )
    }
  }

  /// What a hand-over of this much needs, by part; `ahead`: for what is made before the next look, as well.
  private static func need(_ part: Part, _ usage: ContentUsage, ahead: Bool) -> Int64 {
    let entries = ahead ? saturatingSum(usage.entries, usage.entries / 4 + 512) : usage.entries
    let paths = ahead ? saturatingSum(usage.pathBytes, usage.pathBytes / 4) : usage.pathBytes
    let (each, all): (Int64, Int64) =
      switch part {
      // Its path can be in it twice.
      case .record: (bytesOfEntry, 2)
      case .general: (bytesOfItem, 1)
      }
    let (one, tooMany) = entries.multipliedReportingOverflow(by: each)
    let (other, tooLong) = paths.multipliedReportingOverflow(by: all)
    // Half of what is there from the beginning is for what every hand-over needs.
    return tooMany || tooLong ? .max : saturatingSum(saturatingSum(one, other), Int64(part.least) / 2)
  }

  /// Sets aside what the hand-over of this much needs, and, unless this `isAll` that there will be, of more that may come
  /// while the session goes on. What was set aside stays. Of the file system `kept` bytes are left alone, however many
  /// names an extension makes. It fails if there is not space for what is there already.
  package func grow(for usage: ContentUsage, isAll: Bool = false, keeping kept: Int64 = 0) throws(StoreError)
  {
    var hasGrown = false
    for part in Part.allCases where try grow(part, for: usage, isAll: isAll, keeping: kept) {
      hasGrown = true
    }
    guard hasGrown else { return }
    // Journal and record need none of these: a session does not end for them.
    for number in 1...Self.inodes {
      _ = try? FileSystem.open(path("\(number)"), [.write, .create, .noFollow])
    }
  }

  /// The same of one part; says whether there was anything to be done.
  private func grow(
    _ part: Part,
    for usage: ContentUsage,
    isAll: Bool,
    keeping kept: Int64
  ) throws(StoreError) -> Bool {
    let wanted = Self.need(part, usage, ahead: !isAll)
    let held = try system { () throws(SystemCallError) in try open(part).status().allocated }
    if held >= wanted { return false }
    do throws(StoreError) {
      try extend(part, from: held, to: wanted, keeping: kept)
    } catch {
      let need = Self.need(part, usage, ahead: false)
      guard error.isFull else { throw error }
      if held < need { try extend(part, from: held, to: need, keeping: kept) }
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
    guard bytes - held <= free - kept else { throw .kept(path: path, free: free, reserve: kept) }
    try system { () throws(SystemCallError) in
      try open(part).allocate(bytes: Int(clamping: bytes), path: path)
    }
  }

  private func open(_ part: Part) throws(SystemCallError) -> Descriptor {
    try FileSystem.open(path(part), [.write, .noFollow])
  }

  /// Gives back everything but what the record is written over; says whether there was anything.
  func release() throws(StoreError) -> Bool {
    let record = SessionPlaces.reservePrefix + Part.record.rawValue
    // A session whose host was an earlier version has a directory or a file of this name.
    let earlier = "reserve"
    var isReleased = false
    do {
      for name in try FileSystem.names(in: places.directory)
      where name != record && (name.hasPrefix(SessionPlaces.reservePrefix) || name == earlier) {
        try FileSystem.removeTree("\(places.directory)/\(name)")
        isReleased = true
      }
    } catch  where error.errno == .noSuchFile {
      // The session's directory is in the trash already.
    } catch { throw .system(error) }
    return isReleased
  }

  /// Writes the journal that says how the session has ended, whole or not at all, over what was set aside for it, if that is still
  /// there. Its name becomes durable with what else changes in its directory: the one before it says less, and nothing wrong.
  func writeEnded(_ journal: Journal) throws(SystemCallError) {
    try write(journal, over: path(.general), .passing)
  }

  /// Writes the first journal, durably and whole or not at all, over the file that an earlier session has left for it, if there is
  /// one.
  func writeFirst(_ journal: Journal) throws(SystemCallError) {
    try write(journal, over: journalFile, .lasting)
  }

  /// Writes the journal of a launch in the same way, over the file that was made for it; the former journal is not waited for.
  func writeLaunched(_ journal: Journal) throws(SystemCallError) {
    try write(journal, over: journalFile, .exchanged)
  }

  /// Makes a file with space for the journal of a launch.
  func makeJournal() throws(SystemCallError) {
    try FileSystem.open(journalFile, [.write, .create, .noFollow]).allocate(bytes: 4 << 10, path: journalFile)
  }

  /// The file that a journal is written over which is waited for.
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

  /// Writes the text of a record over what was set aside for it; nil if that is not there any more.
  func begin(_ record: SessionRecord) throws(StoreError) -> RecordWrite? {
    guard try system({ () throws(SystemCallError) in try isReserve(recordFile) }) else { return nil }
    return try RecordWrite(record, over: recordFile)
  }

  /// Whether a file is there that was set aside. Some file systems can show one under both its names after a power failure. Then it
  /// is no reserve any more.
  private func isReserve(_ path: String) throws(SystemCallError) -> Bool {
    try FileSystem.status(path)?.links == 1
  }
}
