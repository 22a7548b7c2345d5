// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The sockets that the processes of a session hold, and the descriptors that are queued in them.
///
/// The kernel bounds the memory of each socket. It bounds the memory of all sockets together only in a
/// control group.
struct SocketCensus {
  /// The inodes of the open sockets.
  private var open: Set<UInt64> = []
  /// The number of queued descriptors. Each can be a socket that no process has open.
  private(set) var queued = 0

  /// The bytes that all sockets can hold.
  var bytes: Int { (open.count + queued) * MachineMemory.socketBuffer }

  /// Returns an upper bound of ``bytes``, derived from the sizes of the descriptor tables.
  static func upperBound(_ census: ProcessTreeCensus) -> Int {
    let room = census.members.lazy.flatMap(\.tables).reduce(0) {
      $0 + (ProcessFacts($1)?.descriptorTableSize ?? 0)
    }
    return room * MachineMemory.socketBuffer
  }

  /// Counts the sockets of these processes, or returns `nil` if counting takes longer than until `end`.
  init?(_ census: ProcessTreeCensus, until end: UInt64) {
    var isInTime = true
    for table in census.members.flatMap(\.tables) where isInTime {
      ProcessFacts(table)?.forEachSocket { inode, waiting in
        if open.insert(inode).inserted { queued += waiting }
        isInTime = MonotonicClock.now < end
        return isInTime
      }
    }
    if !isInTime { return nil }
  }
}
