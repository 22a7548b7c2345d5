// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The mount points of this process, read again only when they have changed.
package final class MountTable: Sendable {
  /// What was read, and the open table, which tells of every change since it was opened (proc_pid_mountinfo(5)).
  package final class Reading: Sendable {
    private let table: Descriptor
    /// The mount points.
    package let points: MountPoints
    /// What is mounted; nil: it cannot be known again.
    private let state: MountState?

    /// Reads the table, which may be the same as in the last reading.
    fileprivate init(after last: Reading?) throws(SystemCallError) {
      // Opened before it is read, so that no change is missed.
      table = try FileSystem.open("/proc/self/mountinfo", .read)
      let text = try table.readAll(limit: 1 << 22)
      state = text.flatMap { MountState(table: $0) }
      let known = state == nil || state != last?.state ? nil : last?.points
      points = known ?? MountPoints(table: text)
    }

    /// Whether the same is mounted as in another reading. Something may have come and gone in between.
    func isSame(as other: Reading) -> Bool { self === other || state != nil && state == other.state }

    /// Whether nothing has been mounted or unmounted since.
    fileprivate var isCurrent: Bool {
      (try? Poller.hasException(table.rawValue)) == false
    }
  }

  private let last = Mutex<Reading?>(nil)

  /// That of this moment, which is the same value as long as nothing changes; nil: the table cannot be read.
  package var reading: Reading? {
    last.withLock { last in
      if let last, last.isCurrent { return last }
      last = try? Reading(after: last)
      return last
    }
  }
}
