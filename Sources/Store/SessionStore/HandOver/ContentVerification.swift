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
  private static let grain = 128
  /// The number of entries that are verified before rejected ones are moved to the quarantine. This bounds
  /// the memory for a huge directory.
  private static let batch = 8192

  /// The content that may be delivered.
  private(set) var inventory = ContentInventory()
  private var quarantine: QuarantineFolder
  private var renamed: RenamedNames
  private let normaliser: Normaliser
  private let knowsWriters: Bool
  private let rule: ContentRule
  private let limits: EntryJudge.Limits
  /// The remaining retries for files that a process has open for writing. A process that has just exited may
  /// not have closed all its files yet.
  private var patience = 20

  /// Creates the verification of a session's content. `knowsWriters` states whether the file system can
  /// report if a file is open for writing.
  init(for app: AppStore, _ places: SessionPlaces, _ rule: ContentRule, knowsWriters: Bool) throws(StoreError)
  {
    self.rule = rule
    limits = EntryJudge.Limits(
      depth: rule.mostDepth,
      pathBytes: QuarantineReason.longestPath - app.content(places.id).utf8.count - 1
    )
    quarantine = QuarantineFolder(app, places.id)
    renamed = try RenamedNames(places)
    normaliser = try Normaliser(for: app.root)
    self.knowsWriters = knowsWriters
  }

  /// Verifies all entries.
  mutating func run(_ content: OpenDirectory) throws(StoreError) {
    let judge = EntryJudge(
      device: content.identity.device,
      limits: limits,
      normaliser: normaliser,
      knowsWriters: knowsWriters
    )
    var walk = TreeWalk(content)
    while let directory = try walk.next() {
      try verify(directory)
      walk.descend(into: try sift(directory, judge))
    }
  }

  /// Whether the file system can report if a file is open for writing.
  ///
  /// The test uses the journal, which no process has open for writing: the file system must report exactly
  /// that.
  static func knowsWriters(_ places: SessionPlaces) -> Bool {
    guard let journal = try? FileSystem.open(places.journalFile, [.noFollow]) else { return false }
    return journal.writers() == .none
  }

  /// Sanitizes the directory itself.
  private mutating func verify(_ directory: TreeWalk.Directory) throws(StoreError) {
    let changes = try system { () throws(SystemCallError) in
      try normaliser.normalise(directory.open.descriptor, directory.open.descriptor.status())
    }
    guard let changes else {
      throw .system(SystemCallError("fchown", path: directory.path.text, errno: .notPermitted))
    }
    inventory.directories += 1
    note(changes, directory.path)
  }

  private mutating func note(_ changes: [Normalisation], _ path: EntryPath) {
    for change in changes {
      inventory.normalised.append(SessionRecord.Normalised(path: path.text, change: change))
    }
  }

  /// Verifies the entries of a directory.
  ///
  /// - Returns: The names of the subdirectories to visit.
  private mutating func sift(
    _ directory: TreeWalk.Directory,
    _ judge: EntryJudge
  ) throws(StoreError) -> [[UInt8]] {
    let (names, unfit) = try deliverableNames(in: directory)
    var inside: [[UInt8]] = []
    // In batches, so that memory for a directory with a million entries is limited to their names and the
    // inventory.
    for first in stride(from: 0, to: names.count, by: Self.batch) {
      let batch = names[first..<min(first + Self.batch, names.count)]
      inside += try sift(batch, unfit, of: directory, judge)
    }
    return inside
  }

  /// Verifies a batch of entries.
  ///
  /// - Returns: The names of the subdirectories to visit.
  private mutating func sift(
    _ names: ArraySlice<[UInt8]>,
    _ unfit: [[UInt8]: QuarantineReason],
    of directory: TreeWalk.Directory,
    _ judge: EntryJudge
  ) throws(StoreError) -> [[UInt8]] {
    let verdicts = try SharedWork(grain: Self.grain).map(names.count) { (index) throws(StoreError) in
      let name = names[names.startIndex + index]
      return try judge.judge(name, unfit[name], in: directory)
    }
    var inside: [[UInt8]] = []
    var rejected: [QuarantineFolder.Item] = []
    for (name, verdict) in zip(names, verdicts) {
      let path = directory.path.appending(name)
      let final = try retry(verdict, judge, name, unfit[name], in: directory)
      if let inode = final.inode, let from = renamed.takeOldName(path, inode) {
        inventory.normalised.append(.init(path: path.text, change: .renamed, from: from))
      }
      switch final.judgement {
      case .enter: inside.append(name)
      case .keep(let entry): inventory.add(entry)
      case .gone: continue
      case .reject(let reason):
        rejected.append(QuarantineFolder.Item(name: name, path: path, reason: reason))
        continue
      }
      note(final.changes, path)
    }
    if !rejected.isEmpty { try quarantine.take(rejected, from: directory.open) }
    return inside
  }

  /// Verifies a file that is open for writing again, while retries remain.
  private mutating func retry(
    _ first: EntryJudge.Verdict,
    _ judge: EntryJudge,
    _ name: [UInt8],
    _ unfit: QuarantineReason?,
    in directory: TreeWalk.Directory
  ) throws(StoreError) -> EntryJudge.Verdict {
    var verdict = first
    while case .reject(.heldOpen) = verdict.judgement, patience > 0 {
      patience -= 1
      MonotonicClock.sleep(milliseconds: 10)
      verdict = try judge.judge(name, unfit, in: directory)
      verdict.changes = first.changes + verdict.changes
    }
    return verdict
  }

  /// Renames the entries whose names may not be delivered, where possible.
  ///
  /// - Returns: The sorted names, and the invalid names that could not be changed, each with its reason.
  private mutating func deliverableNames(
    in directory: TreeWalk.Directory
  ) throws(StoreError) -> (names: [[UInt8]], unfit: [[UInt8]: QuarantineReason]) {
    var names = try system { () throws(SystemCallError) in try directory.open.descriptor.entryNames() }
    var unfit: [[UInt8]: QuarantineReason] = [:]
    let plan = NamePlan(names, rule.form)
    if !plan.changes.isEmpty {
      let changes = try renamed.rename(by: plan, in: directory)
      let gone = Set(changes.map(\.old))
      for change in plan.changes where !gone.contains(change.name) {
        unfit[change.name] = NameSpelling.fault(change.name, rule.form) ?? .nameNotPortable
      }
      names = names.filter { !gone.contains($0) } + changes.map(\.new)
    }
    return (names.sorted { $0.lexicographicallyPrecedes($1) }, unfit)
  }
}
