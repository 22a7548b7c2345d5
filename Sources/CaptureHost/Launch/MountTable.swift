// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The mount points of this process, read again only when they have changed.
final class MountTable: Sendable {
  /// What was read, and the open table, which tells of every change since it was opened (proc_pid_mountinfo(5)).
  private final class Reading: Sendable {
    let table: Descriptor
    let points: MountPoints

    init(_ table: consuming Descriptor, _ points: MountPoints) {
      self.table = table
      self.points = points
    }

    /// Whether nothing has been mounted or unmounted since.
    var isCurrent: Bool {
      (try? Poller.wait([(table.rawValue, [])], until: 0)) == [[]]
    }
  }

  private let reading = Mutex<Reading?>(nil)

  /// Those of this moment.
  var points: MountPoints {
    reading.withLock { reading in
      if let reading, reading.isCurrent { return reading.points }
      do {
        // Opened before it is read, so that no change is missed.
        let table = try FileSystem.open("/proc/self/mountinfo", .read)
        let points = MountPoints(table: try table.readAll(limit: 1 << 22))
        reading = Reading(table, points)
        return points
      } catch {
        reading = nil
        return MountPoints(table: nil)
      }
    }
  }
}
