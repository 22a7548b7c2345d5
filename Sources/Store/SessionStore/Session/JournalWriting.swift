// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// A journal of a session while it is written: on a thread of its own, because the disk is waited for, and there is enough to
/// do meanwhile.
package final class JournalWriting: Sendable {
  /// What came of it; set before the thread ends.
  private final class Outcome: Sendable {
    let fault = Mutex<StoreError?>(nil)

    func take(_ work: () throws(StoreError) -> Void) {
      do throws(StoreError) { try work() } catch { fault.withLock { $0 = error } }
    }
  }

  private let outcome: Outcome
  private let thread: Mutex<PlainThread?>

  /// Begins to write the first journal of a session, and to make it durable as far up as the directory of all sessions.
  static func first(_ journal: Journal, _ places: SessionPlaces) -> JournalWriting {
    JournalWriting { () throws(StoreError) in try write(journal, places) }
  }

  /// Begins to write the journal that says how a session has ended. Nobody else may use the reserve as long as it is written.
  static func ended(_ journal: Journal, _ places: SessionPlaces) -> JournalWriting {
    JournalWriting { () throws(StoreError) in
      try system { () throws(SystemCallError) in try SpaceReserve(places).writeEnded(journal) }
    }
  }

  /// Where no thread is to be had it is written at once.
  private init(_ write: @escaping @Sendable () throws(StoreError) -> Void) {
    let outcome = Outcome()
    self.outcome = outcome
    var thread: PlainThread?
    do throws(SystemCallError) {
      thread = try PlainThread.start(name: "journal", place: .beside) { outcome.take(write) }
    } catch { outcome.take(write) }
    self.thread = Mutex(thread)
  }

  /// Nobody may take the session's lock while its journal is still written.
  deinit { join() }

  /// Waits until the journal is on the disk. Before the first one is, nothing of the session may run: then it can be recovered,
  /// whatever happens from now on.
  package func wait() throws(StoreError) {
    join()
    if let fault = outcome.fault.withLock({ $0 }) { throw fault }
  }

  private func join() {
    thread.withLock { thread in
      if let running = thread.take() { running.join() }
    }
  }

  /// Writes the first journal and waits for the disk.
  static func write(_ journal: Journal, _ places: SessionPlaces) throws(StoreError) {
    try system { () throws(SystemCallError) in
      try SpaceReserve(places).writeFirst(journal)
      // The journal is durable only as far as its directory is.
      try FileSystem.synchronizeDirectory(places.root.sessionsDirectory)
    }
  }
}
