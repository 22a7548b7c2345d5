// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Goes once through a content directory and leaves only what may reach the app.
///
/// Entries are known by descriptor: nothing is opened before the kernel has said what it is, and what was opened must
/// be what was looked at. Links are never followed, special files never opened. A directory belongs to the host before
/// it is listed, so that from then on nobody else can change what is in it.
struct ContentVerification {
  /// How many entries of a directory a thread takes at once.
  private static let grain = 128
  /// How many entries of a directory are looked at before what is to be moved aside is moved.
  private static let batch = 8192

  /// What may reach the app.
  private(set) var inventory = ContentInventory()
  private var quarantine: QuarantineFolder
  private var renamed: RenamedNames
  private let normaliser: Normaliser
  private let knowsWriters: Bool
  private let rule: ContentRule
  private let limits: EntryJudge.Limits
  /// How often there is another look at files that somebody can write to: a process that has just ended may not have
  /// closed them all.
  private var patience = 20

  /// Verifies the content of a session by a rule.
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

  /// Looks at everything.
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

  /// Whether the file system says who writes to a file: of the journal, which nobody may have open meanwhile, it must say that nobody
  /// does.
  static func knowsWriters(_ places: SessionPlaces) -> Bool {
    guard let journal = try? FileSystem.open(places.journalFile, [.noFollow]) else { return false }
    return journal.writers() == .none
  }

  /// Makes the directory itself ordinary.
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

  /// Looks at the entries of a directory, and gives those to be entered.
  private mutating func sift(
    _ directory: TreeWalk.Directory,
    _ judge: EntryJudge
  ) throws(StoreError) -> [[UInt8]] {
    let (names, unfit) = try deliverableNames(in: directory)
    var inside: [[UInt8]] = []
    // What a directory of a million entries takes in memory is their names, and what is kept of them.
    for first in stride(from: 0, to: names.count, by: Self.batch) {
      let batch = names[first..<min(first + Self.batch, names.count)]
      inside += try sift(batch, unfit, of: directory, judge)
    }
    return inside
  }

  /// Looks at some entries of a directory, and gives those to be entered.
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

  /// Another look at a file that somebody can write to, as long as there is patience.
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

  /// Changes the names in a directory that may not reach the app, as far as that is possible. Returns the sorted names, and
  /// those that could not be changed with the reason.
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
