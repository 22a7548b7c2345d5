// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The owner of the session content directory while the extension runs.
package struct ContentOwner: Hashable, Sendable {
  /// The UID of the extension in the host's user namespace.
  package var user: UInt32
  /// The GID.
  package var group: UInt32

  /// Creates an owner.
  package init(user: UInt32, group: UInt32) {
    self.user = user
    self.group = group
  }
}

/// The directory of a session, from its creation to its migration.
///
/// It holds the session's lock, so that no recovery claims the session while this value exists. The kernel
/// releases the lock when the host dies.
package struct SessionWorkspace: ~Copyable, Sendable {
  /// The app of the session.
  package let app: AppStore
  /// The ID of the session.
  package let id: SessionID
  /// The ID of the extension.
  package let extensionID: String
  /// The start of the session in milliseconds since 1970.
  package var startedAt: Int64 { journal.startedAt }
  /// The running write of the journal, or `nil` if it is complete. Declared before the lock, so that it is
  /// released before the lock.
  package let writing: JournalWrite?
  let lock: FileLock
  private(set) var journal: Journal

  /// The paths of the session.
  package var places: SessionPaths { app.root.session(id) }

  /// The stage for which a directory is created.
  package enum Stage: Sendable {
    /// The session is launched immediately.
    case launching
    /// The extension is prewarmed and waits for its launch, until ``begin()``.
    case prewarmed
  }

  /// The time at which the journal becomes durable.
  package enum Durability: Sendable {
    /// Before
    /// ``prepare(for:id:extensionID:contentOwner:hasLibrary:hostProcess:debugging:content:stage:durability:)``
    /// returns.
    case now
    /// Before ``JournalWrite/wait()`` returns. No process of the session may run before that.
    case later
  }

  /// Creates the directory of a session.
  ///
  /// Once the journal is durable, recovery can always finish the session. A prewarmed session is recovered as
  /// one that was never launched.
  ///
  /// - Parameters:
  ///   - app: The app of the session.
  ///   - id: The ID of the session, which no other session may have.
  ///   - extensionID: The ID of the extension.
  ///   - contentOwner: The owner of the content directory, if the extension runs as another user than the
  ///     host.
  ///   - hasLibrary: Whether the session can receive copies of library assets.
  ///   - hostProcess: The process that ends the session in order when it receives a signal.
  ///   - debugging: The debugging state, or `nil` if the session is not launched for debugging.
  ///   - content: The rules for the content, which also apply to a recovery.
  ///   - stage: Whether the session is launched immediately or prewarmed.
  ///   - durability: Whether to wait until the journal is durable.
  ///
  /// - Returns: The locked directory.
  ///
  /// - Throws: ``StoreError/refused(_:)`` if required system calls are refused, or the error of the failed
  ///   call.
  package static func prepare(
    for app: AppStore,
    id: SessionID = .random(),
    extensionID: String,
    contentOwner: ContentOwner? = nil,
    hasLibrary: Bool = true,
    hostProcess: Int32 = CurrentProcess.processID,
    debugging: SessionRecord.Debugging? = nil,
    content: ContentRule = ContentRule(),
    stage: Stage = .launching,
    durability: Durability = .now
  ) throws(StoreError) -> SessionWorkspace {
    try StateRoot.checkSystemCalls()
    try app.prepare()
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
      let writing = try write(&journal, places, stage, durability)
      return SessionWorkspace(
        app: app,
        id: id,
        extensionID: extensionID,
        writing: writing,
        lock: lock,
        journal: journal
      )
    } catch {
      // No process has run, so no content is lost. Recovery removes the directory if this fails as well.
      try? FileSystem.removeTree(places.directory)
      throw error
    }
  }

  /// Writes the first journal of a session.
  ///
  /// - Returns: The write that is not durable yet, or `nil` if the journal is durable.
  private static func write(
    _ journal: inout Journal,
    _ places: SessionPaths,
    _ stage: Stage,
    _ durability: Durability
  ) throws(StoreError) -> JournalWrite? {
    if stage == .prewarmed {
      try journal.write(to: places.launchJournalFile)
      journal.phase = .prewarmed
    }
    var writing: JournalWrite?
    switch durability {
    case .now: try JournalWrite.write(journal, places)
    case .later: writing = .first(journal, places)
    }
    if stage == .prewarmed { try createLaunchFiles(places) }
    return writing
  }

  /// Deletes the directory of a session that was never launched.
  ///
  /// A prewarmed extension may have filled it with a tree that is too deep for recursion or has no owner
  /// access. Recovery removes the directory if this fails.
  package consuming func abandon() {
    try? writing?.wait()
    try? Trash(app.root).discard(places.directory)
  }

  /// Returns the journal of the session as it is from the launch on.
  mutating func startJournal(hostProcess: Int32) -> Journal {
    journal.startedAt = WallClock.milliseconds
    journal.hostProcess = hostProcess
    journal.phase = .running
    return journal
  }

  /// Creates the session directory and locks it.
  ///
  /// The lock of the sessions directory is held meanwhile, so that recovery does not find an unlocked
  /// session.
  private static func makeLockedDirectory(_ places: SessionPaths) throws(StoreError) -> FileLock {
    let allSessions = try lockDirectory(places.root.sessionsDirectory)
    // If the spare directory is unusable for any reason, a new one is created.
    if let lock = try? SpareDirectory(places.root).take(for: places) { return lock }
    let lock: FileLock
    do {
      try FileSystem.makeDirectory(places.directory)
      lock = try FileLock.lock(places.lockFile)
    } catch {
      // The random name is unique. Recovery removes the directory if this fails as well.
      try? FileSystem.removeTree(places.directory)
      throw .system(error)
    }
    _ = allSessions
    return lock
  }

  private static func fill(
    _ places: SessionPaths,
    _ contentOwner: ContentOwner?,
    _ hasLibrary: Bool
  ) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try FileSystem.makeDirectory(places.contentDirectory)
      if hasLibrary {
        try FileSystem.makeDirectory(places.libraryDirectory)
        // The extension may run as another user, and the umask restricts the mode that mkdir(2) sets.
        try FileSystem.open(places.libraryDirectory, [.directory, .noFollow]).setPermissions(0o755)
      }
      if let contentOwner {
        let content = try FileSystem.open(places.contentDirectory, [.directory, .noFollow])
        try content.setOwner(contentOwner.user, group: contentOwner.group)
      }
      try SpaceReserve(places).create()
    }
  }
}
