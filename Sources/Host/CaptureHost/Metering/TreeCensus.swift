// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// All processes of a session, counted from outside: the session init and everything that descends from it.
///
/// Whatever loses its parent inside becomes a child of the init, so that nothing leaves this tree but by ending.
struct TreeCensus {
  /// One process.
  struct Member {
    /// Its number in the host's namespace.
    var process: Int32
    /// Its threads.
    var threads: [Int32]
    /// Its pages.
    var pages: ProcessFacts.Pages

    /// The threads that have a table of descriptors each; most processes have one table.
    var tables: [Int32] {
      guard threads.count > 1, let facts = ProcessFacts(process) else { return [process] }
      return [process] + threads.filter { $0 != process && !facts.sharesDescriptors(with: $0) }
    }
  }

  /// The processes.
  private(set) var members: [Member] = []
  /// Processes and threads, with the init, as the kernel counts them for `RLIMIT_NPROC`.
  private(set) var tasks = 0
  /// Processes that were gone before they could be looked at. Their children may not have been seen.
  private(set) var missed = 0

  /// Bytes of memory that belongs to no file, where copies that processes share count once for each.
  var anonymous: Int { members.reduce(0) { $0 + $1.pages.anonymous } * MachineMemory.pageSize }

  /// How often a count is made again because a process ended meanwhile.
  private static let attempts = 16

  /// Whether this kernel shows the children of a process (`CONFIG_PROC_CHILDREN`).
  static let isPossible = (try? FileSystem.status("/proc/thread-self/children")) != nil

  /// Counts the processes below `root`, and again when one has slipped away: a program that hands its memory on from one
  /// short process to the next would be missed otherwise.
  static func take(below root: Int32) -> TreeCensus {
    var best = TreeCensus(below: root)
    for _ in 1..<attempts where best.missed > 0 {
      let next = TreeCensus(below: root)
      if next.missed == 0 || next.anonymous > best.anonymous { best = next }
    }
    return best
  }

  private init(below root: Int32) {
    var pending = [root]
    var seen: Set<Int32> = [root]
    while let process = pending.popLast() {
      guard let facts = ProcessFacts(process) else {
        missed += 1
        continue
      }
      // The number of one that has ended may be somebody else's by now.
      guard process == root || Descent.leads(from: facts, to: root, by: seen) else {
        missed += 1
        continue
      }
      let threads = facts.threads
      tasks += threads.count
      for thread in threads {
        for child in facts.children(of: thread) where seen.insert(child).inserted { pending.append(child) }
      }
      // Last: what it has handed to a child by now was seen there, or will be.
      guard let member = Self.member(process, facts, threads) else {
        missed += 1
        continue
      }
      members.append(member)
    }
  }

  /// A process as one of its threads shows it: the first may have ended before the others, and then shows no memory.
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
