// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The first journal of a session while it is written: on a thread of its own, because the disk is waited for, and whoever
/// begins a session has enough to do until it needs it.
package final class JournalWriting: Sendable {
  /// What came of it; set before the thread ends.
  private final class Outcome: Sendable {
    let fault = Mutex<StoreError?>(nil)
  }

  private let outcome: Outcome
  private let thread: Mutex<PlainThread?>

  /// Begins to write a journal, and to make it durable as far up as the directory of all sessions.
  init(_ journal: Journal, _ places: SessionPlaces) throws(StoreError) {
    let outcome = Outcome()
    self.outcome = outcome
    let thread = try system { () throws(SystemCallError) in
      try PlainThread.start(name: "journal", place: .beside) {
        do throws(StoreError) { try Self.write(journal, places) } catch {
          outcome.fault.withLock { $0 = error }
        }
      }
    }
    self.thread = Mutex(thread)
  }

  /// Nobody may take the session's lock while its journal is still written.
  deinit { join() }

  /// Waits until the session can be recovered, whatever happens from now on; before that nothing of it may run.
  package func wait() throws(StoreError) {
    join()
    if let fault = outcome.fault.withLock({ $0 }) { throw fault }
  }

  private func join() {
    thread.withLock { thread in
      if let running = thread.take() { running.join() }
    }
  }

  /// Writes a journal and waits for the disk.
  static func write(_ journal: Journal, _ places: SessionPlaces) throws(StoreError) {
    try SpaceReserve(places).writeFirst(journal, to: places.journalFile)
    // The journal is durable only as far as its directory is.
    try system { () throws(SystemCallError) in
      try FileSystem.synchronizeDirectory(places.root.sessionsDirectory)
    }
  }
}
