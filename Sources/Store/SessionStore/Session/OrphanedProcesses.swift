// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Termination of session processes that outlive their host.
///
/// The session's lock is released when the host dies. The init process notices this a moment later and
/// terminates the session. If the init process is stopped (SIGSTOP), its children could still write to
/// migrated content. Therefore recovery waits until the last process has exited.
enum OrphanedProcesses {
  /// The timeout in nanoseconds.
  private static let timeout: UInt64 = 10_000_000_000

  /// Terminates all processes of a session and waits for their exit. The caller must hold the session's lock.
  static func terminate(_ places: SessionPaths) throws(StoreError) {
    let deadline = MonotonicClock.now + timeout
    while true {
      let remaining = try system { () throws(SystemCallError) in try find(places) }
      if remaining.isEmpty { return }
      for process in remaining {
        try system { () throws(SystemCallError) in try terminate(process, until: deadline) }
      }
      if MonotonicClock.now >= deadline { throw .stillRunning(session: places.id, processes: remaining) }
    }
  }

  /// Returns the process IDs of a session.
  ///
  /// Processes are identified by properties that they cannot change: the UID, the content directory in their
  /// root, and the arguments of the init process. A session without a separate root is identified only by its
  /// init process, which terminates the others before it exits.
  private static func find(_ places: SessionPaths) throws(SystemCallError) -> [Int32] {
    guard let content = try FileSystem.status(places.contentDirectory) else { return [] }
    let words = ["darkroom-init", places.id.description]
    return try ProcessFacts.everyProcess().filter { processID in
      guard let process = ProcessFacts(processID), let standing = process.identity,
        standing.user == content.owner
      else { return false }
      if process.commandLine == words { return true }
      let contentInRoot = process.file(inRoot: SessionPaths.sandboxContentDirectory)
      return contentInRoot?.inode == content.inode && contentInRoot?.device == content.device
    }
  }

  /// Terminates a process and waits for its exit.
  private static func terminate(_ processID: Int32, until deadline: UInt64) throws(SystemCallError) {
    guard let process = ProcessFacts(processID), let standing = process.identity,
      let handle = process.handle()
    else { return }
    // An init process without a PID namespace must terminate the others itself. It must not be killed, only
    // resumed (SIGCONT).
    let isInitAlone = process.commandLine.first == "darkroom-init" && !standing.isNamespaceInit
    try handle.send(isInitAlone ? .resume : .kill)
    _ = try Poller.wait([(handle.descriptor.rawValue, .readable)], until: deadline)
  }
}
