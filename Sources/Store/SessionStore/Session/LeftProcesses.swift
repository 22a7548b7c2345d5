// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Termination of session processes that outlive their host.
///
/// The session's lock is released when the host dies. The init process notices this a moment later and
/// terminates the session. If the init process is stopped (SIGSTOP), its children could still write to
/// migrated content. Therefore recovery waits until the last process has exited.
enum LeftProcesses {
  /// The timeout in nanoseconds.
  private static let patience: UInt64 = 10_000_000_000

  /// Terminates all processes of a session and waits for their exit. The caller must hold the session's lock.
  static func end(_ places: SessionPlaces) throws(StoreError) {
    let deadline = MonotonicClock.now + patience
    while true {
      let left = try system { () throws(SystemCallError) in try find(places) }
      if left.isEmpty { return }
      for process in left { try system { () throws(SystemCallError) in try end(process, until: deadline) } }
      if MonotonicClock.now >= deadline { throw .stillRunning(session: places.id, processes: left) }
    }
  }

  /// Returns the process IDs of a session.
  ///
  /// Processes are identified by properties that they cannot change: the UID, the content directory in their
  /// root, and the arguments of the init process. A session without a separate root is identified only by its
  /// init process, which terminates the others before it exits.
  private static func find(_ places: SessionPlaces) throws(SystemCallError) -> [Int32] {
    guard let content = try FileSystem.status(places.contentDirectory) else { return [] }
    let words = ["darkroom-init", places.id.description]
    return try ProcessFacts.everyProcess().filter { number in
      guard let process = ProcessFacts(number), let standing = process.standing,
        standing.user == content.owner
      else { return false }
      if process.words == words { return true }
      let seen = process.file(inItsRoot: SessionPlaces.insideContentDirectory)
      return seen?.inode == content.inode && seen?.device == content.device
    }
  }

  /// Terminates a process and waits for its exit.
  private static func end(_ number: Int32, until deadline: UInt64) throws(SystemCallError) {
    guard let process = ProcessFacts(number), let standing = process.standing, let handle = process.handle()
    else { return }
    // An init process without a PID namespace must terminate the others itself. It must not be killed, only
    // resumed (SIGCONT).
    let isInitAlone = process.words.first == "darkroom-init" && !standing.isInitBelow
    try handle.send(isInitAlone ? .resume : .kill)
    _ = try Poller.wait([(handle.descriptor.rawValue, .readable)], until: deadline)
  }
}
