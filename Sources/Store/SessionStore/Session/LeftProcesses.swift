// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What of a session runs on although its host is dead.
///
/// The session's lock goes with the host, and its processes a moment later, when the init finds that the host is gone. An
/// init that somebody has stopped finds nothing, and what it looks after could still write into content that was handed
/// over. So nothing of a session is touched before the last of its processes is gone.
enum LeftProcesses {
  /// How long they may take to end, in nanoseconds.
  private static let patience: UInt64 = 10_000_000_000

  /// Ends every process of a session whose lock the caller holds, and returns when none is left.
  static func end(_ places: SessionPlaces) throws(StoreError) {
    let deadline = MonotonicClock.now + patience
    while true {
      let left = try system { () throws(SystemCallError) in try find(places) }
      if left.isEmpty { return }
      for process in left { try system { () throws(SystemCallError) in try end(process, until: deadline) } }
      if MonotonicClock.now >= deadline { throw .stillRunning(session: places.id, processes: left) }
    }
  }

  /// The processes of a session.
  ///
  /// They are known by what they can't change: their user, the content directory in their root, and of the init the words
  /// that it was executed with. Without a root of its own a session is known by its init alone, which ends the others
  /// before itself.
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

  /// Ends one, and waits for that.
  private static func end(_ number: Int32, until deadline: UInt64) throws(SystemCallError) {
    guard let process = ProcessFacts(number), let standing = process.standing, let handle = process.handle()
    else { return }
    // An init without a pid namespace ends the others before itself: it must not be killed, only be able to run.
    let isInitAlone = process.words.first == "darkroom-init" && !standing.isInitBelow
    try handle.send(isInitAlone ? .resume : .kill)
    _ = try Poller.wait([(handle.descriptor.rawValue, .readable)], until: deadline)
  }
}
