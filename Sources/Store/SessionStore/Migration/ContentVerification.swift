// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The verification of a content directory, which sanitizes files and quarantines everything that may not be
/// delivered.
///
/// Entries are identified by descriptor: the status of an entry is read before it is opened, and the opened
/// file must be the same one. Symbolic links are not followed, and special files are not opened. The host
/// takes ownership of each directory before listing it, so that no other user can change its entries
/// afterwards.
struct ContentVerification {
  /// The number of entries that a thread claims at once.
  private static let chunkSize = 128
  /// The number of entries that are verified before rejected ones are moved to the quarantine. This bounds
  /// the memory for a huge directory.
  private static let batch = 8192

  /// The content that may be delivered.
  private(set) var inventory = ContentInventory()
  private var quarantine: QuarantineDirectory
  private var renamed: RenamedNames
  private let sanitizer: ContentSanitizer
  private let canDetectWriters: Bool
  private let rule: ContentRule
  private let limits: EntryVerifier.Limits
  /// The remaining retries for files that a process has open for writing. A process that has just exited may
  /// not have closed all its files yet.
  private var retriesLeft = 20

  /// Creates the verification of a session's content. `canDetectWriters` states whether the file system can
  /// report if a file is open for writing.
  init(for app: AppStore, _ places: SessionPaths, _ rule: ContentRule, canDetectWriters: Bool)
    throws(StoreError)
  {
    self.rule = rule
    limits = EntryVerifier.Limits(
      depth: rule.maximumDepth,
      pathBytes: QuarantineReason.longestPath - app.content(places.id).utf8.count - 1
    )
    quarantine = QuarantineDirectory(app, places.id)
    renamed = try RenamedNames(places)
    sanitizer = try ContentSanitizer(for: app.root)
    self.canDetectWriters = canDetectWriters
  }

  /// Verifies all entries.
  mutating func run(_ content: OpenDirectory) throws(StoreError) {
    let judge = EntryVerifier(
      device: content.identity.device,
      limits: limits,
      sanitizer: sanitizer,
      canDetectWriters: canDetectWriters
    )
    var walk = TreeWalk(content)
    while let directory = try walk.next() {
      try verify(directory)
      walk.descend(into: try verifyEntries(directory, judge))
    }
  }

  /// Whether the file system can report if a file is open for writing.
  ///
  /// The test uses the journal, which no process has open for writing: the file system must report exactly
  /// that.
  static func canDetectWriters(_ places: SessionPaths) -> Bool {
    guard let journal = try? FileSystem.open(places.journalFile, [.noFollow]) else { return false }
    return journal.writers() == .none
  }

  /// Sanitizes the directory itself.
  private mutating func verify(_ directory: TreeWalk.Directory) throws(StoreError) {
    let changes = try system { () throws(SystemCallError) in
      try sanitizer.sanitize(directory.open.descriptor, directory.open.descriptor.status())
    }
    guard let changes else {
      throw .system(SystemCallError("fchown", path: directory.path.text, errno: .notPermitted))
    }
    inventory.directories += 1
    note(changes, directory.path)
  }

  private mutating func note(_ changes: [Sanitization], _ path: EntryPath) {
    for change in changes {
      inventory.sanitized.append(SessionRecord.Sanitized(path: path.text, change: change))
    }
  }

  /// Verifies the entries of a directory.
  ///
  /// - Returns: The names of the subdirectories to visit.
  private mutating func verifyEntries(
    _ directory: TreeWalk.Directory,
    _ judge: EntryVerifier
  ) throws(StoreError) -> [[UInt8]] {
    let (names, invalidNames) = try deliverableNames(in: directory)
    var subdirectories: [[UInt8]] = []
    // In batches, so that memory for a directory with a million entries is limited to their names and the
    // inventory.
    for first in stride(from: 0, to: names.count, by: Self.batch) {
      let batch = names[first..<min(first + Self.batch, names.count)]
      subdirectories += try verifyEntries(batch, invalidNames, of: directory, judge)
    }
    return subdirectories
  }

  /// Verifies a batch of entries.
  ///
  /// - Returns: The names of the subdirectories to visit.
  private mutating func verifyEntries(
    _ names: ArraySlice<[UInt8]>,
    _ invalidNames: [[UInt8]: QuarantineReason],
    of directory: TreeWalk.Directory,
    _ judge: EntryVerifier
  ) throws(StoreError) -> [[UInt8]] {
    let verdicts = try ParallelMap(chunkSize: Self.chunkSize).map(names.count) { (index) throws(StoreError) in
      let name = names[names.startIndex + index]
      return try judge.verify(name, invalidNames[name], in: directory)
    }
    var subdirectories: [[UInt8]] = []
    var rejected: [QuarantineDirectory.Item] = []
    for (name, verdict) in zip(names, verdicts) {
      let path = directory.path.appending(name)
      let final = try retry(verdict, judge, name, invalidNames[name], in: directory)
      if let inode = final.inode, let from = renamed.takeOldName(path, inode) {
        inventory.sanitized.append(.init(path: path.text, change: .renamed, from: from))
      }
      switch final.decision {
      case .enter: subdirectories.append(name)
      case .keep(let entry): inventory.add(entry)
      case .removed: continue
      case .reject(let reason):
        rejected.append(QuarantineDirectory.Item(name: name, path: path, reason: reason))
        continue
      }
      note(final.changes, path)
    }
    if !rejected.isEmpty { try quarantine.add(rejected, from: directory.open) }
    return subdirectories
  }

  /// Verifies a file that is open for writing again, while retries remain.
  private mutating func retry(
    _ first: EntryVerifier.Verdict,
    _ judge: EntryVerifier,
    _ name: [UInt8],
    _ invalidNames: QuarantineReason?,
    in directory: TreeWalk.Directory
  ) throws(StoreError) -> EntryVerifier.Verdict {
    var verdict = first
    while case .reject(.heldOpen) = verdict.decision, retriesLeft > 0 {
      retriesLeft -= 1
      MonotonicClock.sleep(milliseconds: 10)
      verdict = try judge.verify(name, invalidNames, in: directory)
      verdict.changes = first.changes + verdict.changes
    }
    return verdict
  }

  /// Renames the entries whose names may not be delivered, where possible.
  ///
  /// - Returns: The sorted names, and the invalid names that could not be changed, each with its reason.
  private mutating func deliverableNames(
    in directory: TreeWalk.Directory
  ) throws(StoreError) -> (names: [[UInt8]], invalidNames: [[UInt8]: QuarantineReason]) {
    var names = try system { () throws(SystemCallError) in try directory.open.descriptor.entryNames() }
    var invalidNames: [[UInt8]: QuarantineReason] = [:]
    let plan = NamePlan(names, rule.form)
    if !plan.changes.isEmpty {
      let changes = try renamed.rename(by: plan, in: directory)
      let gone = Set(changes.map(\.old))
      for change in plan.changes where !gone.contains(change.name) {
        invalidNames[change.name] = NameSpelling.fault(change.name, rule.form) ?? .nameNotPortable
      }
      names = names.filter { !gone.contains($0) } + changes.map(\.new)
    }
    return (names.sorted { $0.lexicographicallyPrecedes($1) }, invalidNames)
  }
}
