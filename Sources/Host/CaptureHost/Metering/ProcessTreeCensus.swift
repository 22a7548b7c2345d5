// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// All processes of a session, counted from outside: the session's init and all of its descendants.
///
/// An orphaned process inside the session becomes a child of the init, so a process leaves the tree only by
/// exiting.
struct ProcessTreeCensus {
  /// A process.
  struct Member {
    /// The PID in the host's PID namespace.
    var process: Int32
    /// The thread IDs.
    var threads: [Int32]
    /// The page counts.
    var pages: ProcessFacts.Pages

    /// One thread for each descriptor table. Most processes have a single table.
    var tables: [Int32] {
      guard threads.count > 1, let facts = ProcessFacts(process) else { return [process] }
      return [process] + threads.filter { $0 != process && !facts.sharesDescriptors(with: $0) }
    }
  }

  /// The processes.
  private(set) var members: [Member] = []
  /// The number of processes and threads, including the init, as the kernel counts them for `RLIMIT_NPROC`.
  private(set) var tasks = 0
  /// The number of processes that exited before they could be inspected. Their children may be missing.
  private(set) var missedProcesses = 0

  /// The bytes of anonymous memory. Copy-on-write pages count once for each process that shares them.
  var anonymous: Int { members.reduce(0) { $0 + $1.pages.anonymous } * MachineMemory.pageSize }

  /// The maximum number of counts that are made because a process exited meanwhile.
  private static let attempts = 16

  /// Whether this kernel reports the children of a process (`CONFIG_PROC_CHILDREN`).
  static let isPossible = (try? FileSystem.status("/proc/thread-self/children")) != nil

  /// Counts the processes below `root`.
  ///
  /// The count is repeated if a process exited before it was inspected. Otherwise a program that passes its
  /// memory to a succession of short-lived processes would be missed.
  static func take(below root: Int32) -> ProcessTreeCensus {
    var best = ProcessTreeCensus(below: root)
    for _ in 1..<attempts where best.missedProcesses > 0 {
      let next = ProcessTreeCensus(below: root)
      if next.missedProcesses == 0 || next.anonymous > best.anonymous { best = next }
    }
    return best
  }

  private init(below root: Int32) {
    var pending = [root]
    var seen: Set<Int32> = [root]
    while let process = pending.popLast() {
      guard let facts = ProcessFacts(process) else {
        missedProcesses += 1
        continue
      }
      // The PID of a process that has exited may have been reused.
      guard process == root || ProcessAncestry.leads(from: facts, to: root, by: seen) else {
        missedProcesses += 1
        continue
      }
      let threads = facts.threads
      tasks += threads.count
      for thread in threads {
        for child in facts.children(of: thread) where seen.insert(child).inserted { pending.append(child) }
      }
      // Read last: memory that the process has passed to a child by now was counted there, or will be.
      guard let member = Self.member(process, facts, threads) else {
        missedProcesses += 1
        continue
      }
      members.append(member)
    }
  }

  /// Returns a process, measured through one of its threads. The main thread may have exited before the
  /// others, and then reports no memory.
  private static func member(
    _ process: Int32,
    _ facts: borrowing ProcessFacts,
    _ threads: [Int32]
  ) -> Member? {
    guard !threads.isEmpty, let pages = facts.pages else { return nil }
    guard pages.size == 0 else { return Member(process: process, threads: threads, pages: pages) }
    for thread in threads where thread != process {
      if let pages = ProcessFacts(thread)?.pages, pages.size > 0 {
        return Member(process: thread, threads: threads, pages: pages)
      }
    }
    return Member(process: process, threads: threads, pages: pages)
  }
}
