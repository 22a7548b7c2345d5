// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The memory of a session's processes together, measured from outside.
///
/// The quick figure is never too small but for what ``exactly(_:below:)`` does not see either; it is too large where
/// processes share copies, or where others on the machine take shared memory. So a session is judged by the exact one.
struct TreeMemory {
  /// How long the exact figure may take, in nanoseconds; what is not looked at by then counts in full.
  private static let longest: UInt64 = 200_000_000

  /// Whether the session's policy lets it have sockets.
  private let hasSockets: Bool

  /// The shared memory of the machine that was not this session's.
  private var foreign = MachineMemory.shared

  /// Begins with what others have by now.
  init(hasSockets: Bool) { self.hasSockets = hasSockets }

  /// An upper bound, at the cost of a few calls for each process.
  mutating func atMost(_ census: TreeCensus) -> Int {
    census.anonymous + max(scratch(census), sharedAtMost()) + (hasSockets ? SocketCensus.atMost(census) : 0)
  }

  /// What the machine's shared memory has grown by since the session began. What others have given back since then must
  /// not hide what the session takes.
  private mutating func sharedAtMost() -> Int {
    let shared = MachineMemory.shared
    foreign = min(foreign, shared)
    return shared - foreign
  }

  /// The bytes in the session's container, which is memory.
  private func scratch(_ census: TreeCensus) -> Int {
    for member in census.members.prefix(2) {
      if let used = try? FileSystem.usedSpace("/proc/\(member.process)/root/container") { return used }
    }
    return 0
  }

  /// The memory that the processes have, where each page counts once, whoever shares it.
  ///
  /// A socket counts as much as it can hold. Not seen are pages of a shared mapping that no process has in its page tables and that
  /// no open file belongs to, and what else the kernel keeps for the processes itself.
  mutating func exactly(_ census: TreeCensus) -> Int {
    let end = MonotonicClock.now + Self.longest
    var sum = ProcessFacts.Share()
    var files: [UInt64: Int] = [:]
    var isComplete = true
    var counted: [TreeCensus.Member] = []
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
        ProcessFacts(table)?.eachFile(on: device) { inode, bytes in
          if bytes > 0 { files[inode] = bytes }
          isComplete = isComplete && MonotonicClock.now < end
          return isComplete
        }
      }
    }
    let sockets = hasSockets ? SocketCensus(census, until: end + Self.longest) : nil
    // A memory file can wait in a socket, where it is not seen.
    if hasSockets { isComplete = isComplete && sockets?.queued == 0 }
    // A memory file that is mapped is in both figures, so they are not added.
    let shared = max(sum.shared, scratch(census) + files.values.reduce(0, +))
    return sum.anonymous + (isComplete ? shared : max(shared, sharedAtMost()))
      + (sockets?.bytes ?? (hasSockets ? SocketCensus.atMost(census) : 0))
  }

  /// Whether a process uses the memory of another that was counted, as between vfork(2) and execve(2).
  private static func isCounted(
    _ facts: borrowing ProcessFacts,
    _ member: TreeCensus.Member,
    among counted: [TreeCensus.Member]
  ) -> Bool {
    for other in counted where other.pages == member.pages {
      if facts.sharesMemory(with: other.process) { return true }
    }
    return false
  }
}
