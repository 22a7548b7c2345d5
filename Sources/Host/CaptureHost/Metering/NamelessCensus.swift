// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The files without a name that the processes below a session's init keep.
///
/// Descriptors go from process to process by inheritance, or through sockets of the session. The file of a descriptor that waits in
/// a socket cannot be seen, but that one waits is told.
struct NamelessCensus {
  /// The files.
  private(set) var files = NamelessFiles()
  /// Whether there are processes that this user may not look at.
  private(set) var isHidden = false
  /// How often all of them were looked at.
  private(set) var passes = 0
  /// Whether there was no time to look at all of them even once.
  var isCutShort: Bool { passes == 0 }
  /// Whether processes were gone before they could be looked at, each time there was time for.
  private(set) var missed = false
  /// Threads that had ended already. One can stay that way for long, and is no reason to look once more.
  private var ended: Set<Int32> = []
  /// When to stop, in processor time of this thread.
  private let end: UInt64
  /// How often they are looked at because a process ended meanwhile.
  static let attempts = 16

  /// Looks for `longest` nanoseconds of processor time at most, and again when a process has slipped away: one that hands
  /// its files on to the next would be missed otherwise.
  static func take(below root: Int32, on mark: FileSystemMark, longest: UInt64) -> NamelessCensus {
    var census = NamelessCensus(longest: longest)
    while census.passes < attempts {
      census.missed = false
      guard census.look(below: root, on: mark) else {
        // What slipped away before is no more hidden by the look that had no time than by the last one of all.
        census.missed = !census.isCutShort
        break
      }
      census.passes += 1
      if census.isHidden || !census.missed { break }
    }
    return census
  }

  /// Begins with none.
  init(longest: UInt64 = .max / 2) { end = MonotonicClock.threadTime + longest }

  /// Looks at all of them once; false if there was no time for it.
  private mutating func look(below root: Int32, on mark: FileSystemMark) -> Bool {
    var pending = [root]
    var seen: Set<Int32> = [root]
    while let process = pending.popLast() {
      guard MonotonicClock.threadTime < end else { return false }
      guard let facts = ProcessFacts(process) else {
        missed = true
        continue
      }
      let threads = facts.threads
      missed = missed || threads.isEmpty
      // The init is the host's own program, which an ordinary user's host may not look into.
      if process != root {
        guard Descent.leads(from: facts, to: root, by: seen) else {
          missed = true
          continue
        }
        look(at: threads, below: root, by: seen, on: mark)
      }
      for thread in threads {
        for child in facts.children(of: thread) where seen.insert(child).inserted { pending.append(child) }
      }
    }
    return true
  }

  /// Looks at the threads of a process, if it is below `root`.
  mutating func look(at threads: [Int32], below root: Int32, by family: Set<Int32>, on mark: FileSystemMark) {
    var found = NamelessFiles()
    var isMemorySeen = false
    for thread in threads {
      guard let facts = ProcessFacts(thread) else {
        missed = true
        continue
      }
      var own = NamelessFiles()
      let open = facts.addOpenFiles(on: mark, to: &own)
      // The threads of a process share their memory.
      var mapped = ProcessLook.seen
      if facts.pages.map({ $0.size == 0 }) ?? true {
        mapped = .gone
      } else if !isMemorySeen {
        mapped = facts.addMappedFiles(on: mark, to: &own)
      }
      let hasFound = own != NamelessFiles() || open == .denied || mapped == .denied
      // Once more: a thread's number comes round as well.
      guard !hasFound || Descent.leads(from: facts, to: root, by: family) else {
        missed = true
        continue
      }
      isMemorySeen = isMemorySeen || mapped == .seen
      note(open, of: thread)
      note(mapped, of: thread)
      found.add(own)
    }
    files.add(found)
  }

  private mutating func note(_ look: ProcessLook, of thread: Int32) {
    switch look {
    case .seen: break
    case .gone: missed = ended.insert(thread).inserted || missed
    case .denied: isHidden = true
    }
  }
}
