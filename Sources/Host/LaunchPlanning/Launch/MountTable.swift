// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// A cache of the mount points of this process, which is updated only after changes.
package final class MountTable: Sendable {
  /// A reading of the mount table. The open table reports every change since it was opened
  /// (proc_pid_mountinfo(5)).
  package final class Reading: Sendable {
    private let table: Descriptor
    package let points: MountPoints
    /// The state of the mounts, or `nil` if it cannot be compared with another state.
    private let state: MountState?

    /// Reads the mount table. It reuses the mount points of the last reading if they are the same.
    fileprivate init(after last: Reading?) throws(SystemCallError) {
      // The table is opened before it is read, so that no change is missed.
      table = try FileSystem.open("/proc/self/mountinfo", .read)
      let text = try table.readAll(limit: 1 << 22)
      state = text.flatMap { MountState(table: $0) }
      let known = state == nil || state != last?.state ? nil : last?.points
      points = known ?? MountPoints(table: text)
    }

    /// Returns whether the same file systems are mounted as in another reading. A file system may have been
    /// mounted and unmounted in between.
    func isSame(as other: Reading) -> Bool { self === other || state != nil && state == other.state }

    /// Whether no file system was mounted or unmounted since the reading.
    fileprivate var isCurrent: Bool {
      (try? Poller.hasException(table.rawValue)) == false
    }
  }

  private let last = Mutex<Reading?>(nil)

  /// The current reading, or `nil` if the table cannot be read. It is the same object as long as nothing
  /// changes.
  package var reading: Reading? {
    last.withLock { last in
      if let last, last.isCurrent { return last }
      last = try? Reading(after: last)
      return last
    }
  }
}
