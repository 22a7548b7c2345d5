// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The unlinked files that the processes below a session's init keep open or mapped.
///
/// Processes pass descriptors by inheritance, or through sockets of the session. The kernel reports that a
/// descriptor is queued in a socket, but not its file.
struct UnlinkedFileCensus {
  /// The files that were found.
  private(set) var files = UnlinkedFiles()
  /// Whether the host's user may not inspect some of the processes.
  private(set) var hasInaccessibleProcesses = false
  /// The number of complete passes over all processes.
  private(set) var passes = 0
  /// Whether the time limit was reached before the first pass was complete.
  var isIncomplete: Bool { passes == 0 }
  /// Whether in every pass, some processes exited before their files could be inspected.
  private(set) var hasMissedProcesses = false
  /// The threads that had already exited. A thread can stay in this state for long, so it causes only one
  /// more pass.
  private var ended: Set<Int32> = []
  /// The time at which the scan stops, in processor time of this thread.
  private let end: UInt64
  /// The maximum number of passes that are made because a process exited meanwhile.
  static let attempts = 16

  /// Scans the processes for at most `longest` nanoseconds of processor time.
  ///
  /// The scan is repeated if a process exited before it was inspected. Otherwise a process that passes its
  /// files to a successor would be missed.
  static func take(below root: Int32, on mark: FileSystemIdentity, longest: UInt64) -> UnlinkedFileCensus {
    var census = UnlinkedFileCensus(longest: longest)
    while census.passes < attempts {
      census.hasMissedProcesses = false
      guard census.scan(below: root, on: mark) else {
        // Processes that exited during the earlier passes stay missed, even if the last pass ran out of time.
        census.hasMissedProcesses = !census.isIncomplete
        break
      }
      census.passes += 1
      if census.hasInaccessibleProcesses || !census.hasMissedProcesses { break }
    }
    return census
  }

  /// Creates an empty census.
  init(longest: UInt64 = .max / 2) { end = MonotonicClock.threadTime + longest }

  /// Inspects all processes once. Returns `false` if the time limit was reached.
  private mutating func scan(below root: Int32, on mark: FileSystemIdentity) -> Bool {
    var pending = [root]
    var seen: Set<Int32> = [root]
    while let process = pending.popLast() {
      guard MonotonicClock.threadTime < end else { return false }
      guard let facts = ProcessFacts(process) else {
        hasMissedProcesses = true
        continue
      }
      let threads = facts.threads
      hasMissedProcesses = hasMissedProcesses || threads.isEmpty
      // The init is a program of the host, which an unprivileged user may not inspect.
      if process != root {
        guard ProcessAncestry.leads(from: facts, to: root, by: seen) else {
          hasMissedProcesses = true
          continue
        }
        scan(at: threads, below: root, by: seen, on: mark)
      }
      for thread in threads {
        for child in facts.children(of: thread) where seen.insert(child).inserted { pending.append(child) }
      }
    }
    return true
  }

  /// Inspects the threads of a process if the process is below `root`.
  mutating func scan(
    at threads: [Int32],
    below root: Int32,
    by family: Set<Int32>,
    on mark: FileSystemIdentity
  ) {
    var found = UnlinkedFiles()
    var isMemorySeen = false
    for thread in threads {
      guard let facts = ProcessFacts(thread) else {
        hasMissedProcesses = true
        continue
      }
      var own = UnlinkedFiles()
      let open = facts.addOpenFiles(on: mark, to: &own)
      // The threads of a process share their memory.
      var mapped = ProcessInspection.complete
      if facts.pages.map({ $0.size == 0 }) ?? true {
        mapped = .exited
      } else if !isMemorySeen {
        mapped = facts.addMappedFiles(on: mark, to: &own)
      }
      let hasFound = own != UnlinkedFiles() || open == .denied || mapped == .denied
      // Checked again, because thread IDs are reused as well.
      guard !hasFound || ProcessAncestry.leads(from: facts, to: root, by: family) else {
        hasMissedProcesses = true
        continue
      }
      isMemorySeen = isMemorySeen || mapped == .complete
      note(open, of: thread)
      note(mapped, of: thread)
      found.add(own)
    }
    files.add(found)
  }

  private mutating func note(_ look: ProcessInspection, of thread: Int32) {
    switch look {
    case .complete: break
    case .exited: hasMissedProcesses = ended.insert(thread).inserted || hasMissedProcesses
    case .denied: hasInaccessibleProcesses = true
    }
  }
}
