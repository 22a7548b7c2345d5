// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// An asynchronous write of a session's journal. It uses a separate thread, so that other work can proceed
/// while the disk is busy.
package final class JournalWrite: Sendable {
  /// The result of the write, set before the thread exits.
  private final class Completion: Sendable {
    let fault = Mutex<StoreError?>(nil)

    func take(_ work: () throws(StoreError) -> Void) {
      do throws(StoreError) { try work() } catch { fault.withLock { $0 = error } }
    }
  }

  private let completion: Completion
  private let thread: Mutex<PlainThread?>

  /// Starts writing the first journal of a session durably, including the directory of all sessions.
  static func first(_ journal: Journal, _ places: SessionPaths) -> JournalWrite {
    JournalWrite { () throws(StoreError) in try write(journal, places) }
  }

  /// Starts writing the outcome to the journal. The space reserve must not be used until the write is
  /// complete.
  static func ended(_ journal: Journal, _ places: SessionPaths) -> JournalWrite {
    JournalWrite { () throws(StoreError) in
      try system { () throws(SystemCallError) in try SpaceReserve(places).writeEnded(journal) }
    }
  }

  /// Starts the write, or performs it synchronously if no thread can be created.
  private init(_ write: @escaping @Sendable () throws(StoreError) -> Void) {
    let completion = Completion()
    self.completion = completion
    var thread: PlainThread?
    do throws(SystemCallError) {
      thread = try PlainThread.start(name: "journal", place: .otherProcessor) { completion.take(write) }
    } catch { completion.take(write) }
    self.thread = Mutex(thread)
  }

  /// The session's lock must not be released during the write.
  deinit { join() }

  /// Waits until the journal is durable.
  ///
  /// No process of the session may run before the first journal is durable. After that, the session can
  /// always be recovered.
  package func wait() throws(StoreError) {
    join()
    if let fault = completion.fault.withLock({ $0 }) { throw fault }
  }

  private func join() {
    thread.withLock { thread in
      if let running = thread.take() { running.join() }
    }
  }

  /// Writes the first journal and waits until it is durable.
  static func write(_ journal: Journal, _ places: SessionPaths) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try SpaceReserve(places).writeFirst(journal)
      // The journal is only as durable as its directory.
      try FileSystem.synchronizeDirectory(places.root.sessionsDirectory)
    }
  }
}
