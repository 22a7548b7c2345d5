// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A change of an app's content, as reported to a consumer.
package enum ContentUpdate: Hashable, Sendable {
  /// The content that the consumer already knows. This is always the first update, and occurs once.
  case initial([DeliveredSession])
  /// The content of a session has been delivered completely.
  case added(DeliveredSession)
  /// The content of a session has been removed.
  case removed(SessionID)
}

/// A watch that reports each change of an app's content to one consumer once.
///
/// The ``ContentUpdate/initial(_:)`` update of an unnamed consumer contains all present content. A named
/// consumer resumes: its initial update contains the content that was reported before and is still present,
/// and the changes that it missed follow.
///
/// An update counts as delivered after ``acknowledge()`` or the next call of ``next(until:)``. If the process
/// is killed before that, the update is reported again.
package struct ContentWatch: ~Copyable {
  private let content: DeliveredContent
  private let watch: DirectoryWatch
  private let directory: String
  /// The persistent state, or `nil` for an unnamed consumer.
  private var consumer: ContentConsumer?
  /// The sessions whose addition was reported or is pending.
  private var known: Set<SessionID>
  private var pending: [ContentUpdate]
  /// The number of pending updates that ``next(until:)`` has returned.
  private var returnedCount = 0
  /// The update that was returned last and is not acknowledged.
  private var unacknowledged: ContentUpdate?

  /// Starts watching the content of an app, for a named consumer or an unnamed one (`nil`).
  package init(_ app: AppStore, consumer name: String? = nil) throws(StoreError) {
    try app.prepare()
    let path = app.contentDirectory
    let consumer: ContentConsumer?
    if let name { consumer = try ContentConsumer(name, of: app) } else { consumer = nil }
    let watch = try system { () throws(SystemCallError) in try DirectoryWatch(path) }
    // List only after the watch has started. Content that arrives in between is seen twice, but reported
    // once.
    let content = DeliveredContent(app)
    let sessions = try content.list()
    self.init(content, watch, path, consumer, known: consumer?.known ?? Set(sessions.map(\.id)), sessions)
    compare(with: sessions)
  }

  /// Creates a watch. Its first update contains the known sessions among `sessions`.
  private init(
    _ content: DeliveredContent,
    _ watch: consuming DirectoryWatch,
    _ directory: String,
    _ consumer: ContentConsumer?,
    known: Set<SessionID>,
    _ sessions: [DeliveredSession]
  ) {
    self.content = content
    self.watch = watch
    self.directory = directory
    self.consumer = consumer
    self.known = known
    pending = [.initial(sessions.filter { known.contains($0.id) })]
  }

  /// The descriptor to poll for readability before calling ``next(until:)``.
  ///
  /// Call ``next(until:)`` once before polling, because the first update raises no event.
  package var descriptor: Int32 { watch.descriptor.rawValue }

  /// Returns the next update, or `nil` if there was none before the deadline.
  ///
  /// The deadline is a time of `MonotonicClock`; `nil` waits indefinitely.
  package mutating func next(until deadline: UInt64? = nil) throws(StoreError) -> ContentUpdate? {
    try acknowledge()
    while returnedCount == pending.count {
      pending.removeAll()
      returnedCount = 0
      try readChanges()
      if !pending.isEmpty { break }
      let ready = try system { () throws(SystemCallError) in
        try Poller.wait([(descriptor, .readable)], until: deadline)
      }
      if ready.first?.isEmpty ?? true { return nil }
    }
    let update = pending[returnedCount]
    returnedCount += 1
    unacknowledged = update
    return update
  }

  /// Records that a named consumer has processed the last returned update.
  package mutating func acknowledge() throws(StoreError) {
    guard let update = unacknowledged else { return }
    try consumer?.record(update, isLast: returnedCount == pending.count)
    unacknowledged = nil
  }

  /// Converts the events of the kernel into updates.
  private mutating func readChanges() throws(StoreError) {
    let changes = try system { () throws(SystemCallError) in try watch.changes() }
    for change in changes {
      switch change {
      case .appeared(let name): if let id = SessionID(name) { try add(id) }
      case .disappeared(let name): if let id = SessionID(name) { remove(id) }
      case .overflow: try rescan()
      case .directoryGone: throw .contentDirectoryRemoved(path: directory)
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

  /// Compares the present content with the known sessions, because the kernel has dropped events.
  mutating func rescan() throws(StoreError) {
    let present = Set(try content.sessionIDs())
    for id in known.subtracting(present).sorted() { remove(id) }
    for session in try content.list(present.subtracting(known)) {
      known.insert(session.id)
      pending.append(.added(session))
    }
  }

  /// Compares a listing of the present content with the known sessions.
  private mutating func compare(with sessions: [DeliveredSession]) {
    for id in known.subtracting(sessions.map(\.id)).sorted() { remove(id) }
    for session in sessions where known.insert(session.id).inserted { pending.append(.added(session)) }
  }
}
