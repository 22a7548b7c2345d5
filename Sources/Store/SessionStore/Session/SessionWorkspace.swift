// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Who owns the session content directory while the extension runs.
package struct ContentOwner: Hashable, Sendable {
  /// The user as which the extension runs, as the host sees it.
  package var user: UInt32
  /// The group.
  package var group: UInt32

  /// Names an owner.
  package init(user: UInt32, group: UInt32) {
    self.user = user
    self.group = group
  }
}

/// The directory of one session, from before its launch until its hand-over.
///
/// As long as this value lives, nobody recovers the session: it holds the session's lock, which dies with the host.
package struct SessionWorkspace: ~Copyable, Sendable {
  /// The session's app.
  package let app: AppStore
  /// The session.
  package let id: SessionID
  /// The extension's id.
  package let extensionID: String
  /// When the session began, in milliseconds since 1970.
  package var startedAt: Int64 { journal.startedAt }
  /// Writes the journal; nil: it is written. Before the lock, so that it goes before the lock.
  package let writing: JournalWriting?
  let lock: FileLock
  private(set) var journal: Journal

  /// Where everything of the session is.
  package var places: SessionPlaces { app.root.session(id) }

  /// Which session a directory is made for.
  package enum Stage: Sendable {
    /// One that is launched at once.
    case launching
    /// One whose extension is started ahead and waits for its launch, until ``begin()``.
    case waiting
  }

  /// When the journal is on the disk.
  package enum Durability: Sendable {
    /// When the directory is made.
    case now
    /// When ``JournalWriting/wait()`` returns, before which nothing of the session may run.
    case later
  }

  /// Makes a session's directory. When this returns, or has been waited for, the session can be recovered, whatever happens
  /// from now on; one that waits is then taken for one that never was.
  ///
  /// The content directory is given to `contentOwner` if the extension runs as another user than the host. One that
  /// `hasLibrary` can be shown copies of what the person has. A signal to `hostProcess` ends the session in order. The
  /// migration keeps to the `content` rule, whichever process makes it.
  package static func prepare(
    for app: AppStore,
    extensionID: String,
    contentOwner: ContentOwner? = nil,
    hasLibrary: Bool = true,
    hostProcess: Int32 = CurrentProcess.processID,
    debugging: SessionRecord.Debugging? = nil,
    content: ContentRule = ContentRule(),
    stage: Stage = .launching,
    durability: Durability = .now
  ) throws(StoreError) -> SessionWorkspace {
    try StateRoot.checkCalls()
    try app.prepare()
    let id = SessionID.random()
    let places = app.root.session(id)
    let lock = try makeLockedDirectory(places)
    do {
      try fill(places, contentOwner, hasLibrary)
      var journal = Journal(
        sessionID: id,
        app: app.id,
        extensionID: extensionID,
        startedAt: WallClock.milliseconds,
        hostProcess: hostProcess,
        debugging: debugging,
        content: content
      )
      if stage == .waiting {
        try journal.write(to: places.begunJournalFile)
        journal.phase = .waiting
      }
      var writing: JournalWriting?
      switch durability {
      case .now: try JournalWriting.write(journal, places)
      case .later: writing = .first(journal, places)
      }
      if stage == .waiting { try makeFilesOfLaunch(places) }
      return SessionWorkspace(
        app: app,
        id: id,
        extensionID: extensionID,
        writing: writing,
        lock: lock,
        journal: journal
      )
    } catch {
      // Nothing has run: nothing can be lost. What stays behind by a second failure is left to recovery.
      try? FileSystem.removeTree(places.directory)
      throw error
    }
  }

  /// Takes the directory of a session away that was never launched: nothing was captured, so nothing can be lost.
  ///
  /// An extension that waited for its launch may have filled it: with a tree that is too deep for whoever goes down into
  /// it, or that it has locked. What stays behind by a failure is left to recovery.
  package consuming func abandon() {
    try? writing?.wait()
    try? Trash(app.root).discard(places.directory)
  }

  /// The journal from the launch on, for which this process answers.
  mutating func beginJournal(hostProcess: Int32) -> Journal {
    journal.startedAt = WallClock.milliseconds
    journal.hostProcess = hostProcess
    journal.phase = .running
    return journal
  }

  /// Makes the session's directory with its lock held.
  ///
  /// Recovery must not find the directory between the two, so both happen under the lock of the directory above.
  private static func makeLockedDirectory(_ places: SessionPlaces) throws(StoreError) -> FileLock {
    let allSessions = try lockDirectory(places.root.sessionsDirectory)
    // Whatever is wrong with that of an earlier session, one can be made.
    if let lock = try? SpareDirectory(places.root).take(for: places) { return lock }
    let lock: FileLock
    do {
      try FileSystem.makeDirectory(places.directory)
      lock = try FileLock.lock(places.lockFile)
    } catch {
      // Random, the name is nobody else's. What stays behind by a second failure is left to recovery.
      try? FileSystem.removeTree(places.directory)
      throw .system(error)
    }
    _ = allSessions
    return lock
  }

  private static func fill(
    _ places: SessionPlaces,
    _ contentOwner: ContentOwner?,
    _ hasLibrary: Bool
  ) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.makeDirectory(places.contentDirectory)
      if hasLibrary {
        try FileSystem.makeDirectory(places.libraryDirectory)
        // The extension may be another user, and the process's mask may take from what mkdir(2) is given.
        try FileSystem.open(places.libraryDirectory, [.directory, .noFollow]).setPermissions(0o755)
      }
      if let contentOwner {
        let content = try FileSystem.open(places.contentDirectory, [.directory, .noFollow])
        try content.setOwner(contentOwner.user, group: contentOwner.group)
      }
      try SpaceReserve(places).make()
    }
  }
}
