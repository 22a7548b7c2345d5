// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What a consumer of an app's content is told.
package enum ContentUpdate: Hashable, Sendable {
  /// The content that was there when the watch began; always the first update, once.
  case initial([DeliveredSession])
  /// The content of a session is there now, and complete.
  case added(DeliveredSession)
  /// The content of a session is gone.
  case removed(SessionID)
}

/// Tells one consumer what content comes and goes, each change once.
///
/// Nothing is kept between watches: a consumer that was away is told by ``ContentUpdate/initial(_:)`` what there is.
package struct ContentWatch: ~Copyable {
  private let content: DeliveredContent
  private let watch: DirectoryWatch
  private let directory: String
  /// What the consumer knows of, or is about to be told of.
  private var known: Set<SessionID> = []
  private var pending: [ContentUpdate] = []

  /// Begins to watch the content of an app.
  package init(_ app: AppStore) throws(StoreError) {
    try app.prepare()
    let path = app.contentDirectory
    let watch = try system { () throws(SystemCallError) in try DirectoryWatch(path) }
    // After the watch has begun: what comes between the two is seen twice, and told once.
    let content = DeliveredContent(app)
    let sessions = try content.list()
    self.content = content
    self.watch = watch
    directory = path
    known = Set(sessions.map(\.id))
    pending = [.initial(sessions)]
  }

  /// The descriptor to wait on; when it is readable, ``next(until:)`` may have something to tell. Ask once before
  /// waiting, because the first update needs no event.
  package var descriptor: Int32 { watch.descriptor.rawValue }

  /// The next update; nil if none came until `deadline` (of `MonotonicClock`; nil waits for ever).
  package mutating func next(until deadline: UInt64? = nil) throws(StoreError) -> ContentUpdate? {
    while pending.isEmpty {
      try readChanges()
      if !pending.isEmpty { break }
      let ready = try system { () throws(SystemCallError) in
        try Poller.wait([(descriptor, .readable)], until: deadline)
      }
      if ready.first?.isEmpty ?? true { return nil }
    }
    return pending.removeFirst()
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

  /// Compares the directory with what is known, because the kernel has lost events.
  mutating func rescan() throws(StoreError) {
    let present = Set(try content.sessionIDs())
    for id in known.subtracting(present).sorted() { remove(id) }
    for id in present.subtracting(known).sorted() { try add(id) }
  }
}
