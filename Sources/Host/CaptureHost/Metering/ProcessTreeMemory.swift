// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The memory of all processes of a session, measured from outside.
///
/// The upper bound is cheap. It is too large if processes share copy-on-write pages, or if other programs
/// take shared memory. It includes everything that ``exactBytes(_:)`` includes. A session that exceeds its limit
/// by the upper bound is measured exactly.
struct ProcessTreeMemory {
  /// The time limit of the exact measurement, in nanoseconds. Memory that is not measured by then counts in
  /// full.
  private static let timeLimit: UInt64 = 200_000_000

  /// Whether the session's policy allows sockets.
  private let hasSockets: Bool

  /// The lowest amount of shared memory on the machine since the session started, in bytes.
  private var foreign = MachineMemory.shared

  /// Creates a measurement that starts with the current shared memory of the machine.
  init(hasSockets: Bool) { self.hasSockets = hasSockets }

  /// Returns an upper bound, at the cost of a few system calls for each process.
  mutating func upperBound(_ census: ProcessTreeCensus) -> Int {
    census.anonymous + max(scratch(census), sharedUpperBound())
      + (hasSockets ? SocketCensus.upperBound(census) : 0)
  }

  /// Returns the growth of the machine's shared memory since the session started. The baseline is lowered
  /// when other programs free memory, so that this does not hide the session's use.
  private mutating func sharedUpperBound() -> Int {
    let shared = MachineMemory.shared
    foreign = min(foreign, shared)
    return shared - foreign
  }

  /// Returns the bytes in the session's container, which is a tmpfs.
  private func scratch(_ census: ProcessTreeCensus) -> Int {
    for member in census.members.prefix(2) {
      if let used = try? FileSystem.usedSpace("/proc/\(member.process)/root/container") { return used }
    }
    return 0
  }

  /// Returns the memory of the processes, in which each shared page counts once.
  ///
  /// A socket counts as much as it can hold. Two kinds of memory are not included:
  /// - pages of a shared mapping that neither a page table nor an open file refers to,
  /// - other memory that the kernel allocates for the processes.
  mutating func exactBytes(_ census: ProcessTreeCensus) -> Int {
    let end = MonotonicClock.now + Self.timeLimit
    var sum = ProcessFacts.Share()
    var files: [UInt64: Int] = [:]
    var isComplete = true
    var counted: [ProcessTreeCensus.Member] = []
    for member in census.members {
      guard let facts = ProcessFacts(member.process), !Self.isCounted(facts, member, among: counted) else {
        continue
      }
      counted.append(member)
      let share = MonotonicClock.now < end ? facts.share : nil
      sum.anonymous += share?.anonymous ?? member.pages.anonymous * MachineMemory.pageSize
      sum.shared += share?.shared ?? 0
      guard let device = MemoryFile.device else { continue }
      for table in member.tables {
        ProcessFacts(table)?.forEachFile(on: device) { inode, bytes in
          if bytes > 0 { files[inode] = bytes }
          isComplete = isComplete && MonotonicClock.now < end
          return isComplete
        }
      }
    }
    let sockets = hasSockets ? SocketCensus(census, until: end + Self.timeLimit) : nil
    // A memory file can be queued in a socket, where it is not visible.
    if hasSockets { isComplete = isComplete && sockets?.queued == 0 }
    // A mapped memory file is in both values, so they are not added.
    let shared = max(sum.shared, scratch(census) + files.values.reduce(0, +))
    return sum.anonymous + (isComplete ? shared : max(shared, sharedUpperBound()))
      + (sockets?.bytes ?? (hasSockets ? SocketCensus.upperBound(census) : 0))
  }

  /// Returns whether a process shares the memory of another process that was counted, as between vfork(2) and
  /// execve(2).
  private static func isCounted(
    _ facts: borrowing ProcessFacts,
    _ member: ProcessTreeCensus.Member,
    among counted: [ProcessTreeCensus.Member]
  ) -> Bool {
    for other in counted where other.pages == member.pages {
      if facts.sharesMemory(with: other.process) { return true }
    }
    return false
  }
}
