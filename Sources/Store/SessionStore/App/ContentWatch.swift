// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What a consumer of an app's content is told.
package enum ContentUpdate: Hashable, Sendable {
  /// The content that the consumer knows of: always the first update, once.
  case initial([DeliveredSession])
  /// The content of a session is there now, and complete.
  case added(DeliveredSession)
  /// The content of a session is gone.
  case removed(SessionID)
}

/// Tells one consumer what content comes and goes, each change once.
///
/// A consumer without a name begins anew each time: its ``ContentUpdate/initial(_:)`` has all that is there. One with a
/// name goes on where it was: its first update has what it was told of before and is still there, and then come the
/// changes that it has missed. An update counts as told when ``acknowledge()`` or the next call of ``next(until:)``
/// comes after it; a process that is killed in between is told it again.
package struct ContentWatch: ~Copyable {
  private let content: DeliveredContent
  private let watch: DirectoryWatch
  private let directory: String
  /// The place of a consumer with a name.
  private var consumer: ContentConsumer?
  /// What the consumer knows of, or is about to be told of.
  private var known: Set<SessionID> = []
  private var pending: [ContentUpdate] = []
  /// How many of the pending updates were given out.
  private var given = 0
  /// What was given out and not acknowledged.
  private var told: ContentUpdate?

  /// Begins to watch the content of an app, for a consumer with a name, or one without.
  package init(_ app: AppStore, consumer name: String? = nil) throws(StoreError) {
    try app.prepare()
    let path = app.contentDirectory
    if let name { consumer = try ContentConsumer(name, of: app) }
    let watch = try system { () throws(SystemCallError) in try DirectoryWatch(path) }
    // After the watch has begun: what comes between the two is seen twice, and told once.
    let content = DeliveredContent(app)
    let sessions = try content.list()
    self.content = content
    self.watch = watch
    directory = path
    guard name != nil else {
      known = Set(sessions.map(\.id))
      pending = [.initial(sessions)]
      return
    }
    known = consumer?.known ?? []
    pending = [.initial(sessions.filter { known.contains($0.id) })]
    compare(with: sessions)
  }

  /// The descriptor to wait on; when it is readable, ``next(until:)`` may have something to tell. Ask once before
  /// waiting, because the first update needs no event.
  package var descriptor: Int32 { watch.descriptor.rawValue }

  /// The next update; nil if none came until `deadline` (of `MonotonicClock`; nil waits for ever).
  package mutating func next(until deadline: UInt64? = nil) throws(StoreError) -> ContentUpdate? {
    try acknowledge()
    while given == pending.count {
      pending.removeAll()
      given = 0
      try readChanges()
      if !pending.isEmpty { break }
      let ready = try system { () throws(SystemCallError) in
        try Poller.wait([(descriptor, .readable)], until: deadline)
      }
      if ready.first?.isEmpty ?? true { return nil }
    }
    let update = pending[given]
    given += 1
    told = update
    return update
  }

  /// Remembers, for a consumer with a name, that it has got the last update.
  package mutating func acknowledge() throws(StoreError) {
    guard let update = told else { return }
    try consumer?.remember(update, isLast: given == pending.count)
    told = nil
  }

  /// Makes updates of what the kernel has reported.
  private mutating func readChanges() throws(StoreError) {
    let changes = try system { () throws(SystemCallError) in try watch.changes() }
    for change in changes {
      switch change {
      case .appeared(let name): if let id = SessionID(name) { try add(id) }
      case .disappeared(let name): if let id = SessionID(name) { remove(id) }
      case .overflow: try rescan()
      case .directoryGone: throw .contentDirectoryGone(path: directory)
      }
    }
  }

  private mutating func add(_ id: SessionID) throws(StoreError) {
    guard !known.contains(id), let session = try content.find(id) else { return }
    known.insert(id)
    pending.append(.added(session))
  }

  private mutating func remove(_ id: SessionID) {
    if known.remove(id) != nil { pending.append(.removed(id)) }
  }

  /// Compares what is there with what is known, because the kernel has lost events.
  mutating func rescan() throws(StoreError) {
    let present = Set(try content.sessionIDs())
    for id in known.subtracting(present).sorted() { remove(id) }
    for session in try content.list(present.subtracting(known)) {
      known.insert(session.id)
      pending.append(.added(session))
    }
  }

  /// The same with what was just listed.
  private mutating func compare(with sessions: [DeliveredSession]) {
    for id in known.subtracting(sessions.map(\.id)).sorted() { remove(id) }
    for session in sessions where known.insert(session.id).inserted { pending.append(.added(session)) }
  }
}
