// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Synchronization

/// Reports that names on the way of resolved paths may have changed, so that the paths need not be resolved
/// again without a change (inotify(7)).
///
/// It watches only names, on file systems that only this kernel can change. It does not detect changes of
/// mounts: the caller must (proc_pid_mountinfo(5)).
package final class NameWatch: Sendable {
  /// The watch of this process. The number of inotify instances of a user is limited.
  package static let shared = NameWatch()

  /// An inotify instance and its watches.
  fileprivate final class Watches {
    /// The nonblocking inotify descriptor.
    let descriptor: Descriptor
    /// The relevant names in the directory of each watch.
    var names: [Int32: Set<String>] = [:]

    /// Creates an instance without watches, or returns `nil` if this user has no instance left.
    init?() {
      let raw = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      guard raw >= 0 else { return nil }
      descriptor = Descriptor(owning: raw)
    }
  }

  /// The mutable state.
  fileprivate struct State {
    /// The inotify instance, or `nil` if no directory is watched or none can be.
    var watching: Watches?
    /// The number of possible changes.
    var changes: UInt64 = 0
  }

  /// The maximum number of watched directories. A host with a few apps needs some dozens.
  fileprivate static let maximumDirectories = 512
  /// The maximum number of consecutive reads.
  fileprivate static let maximumReads = 256
  /// The file systems whose names only this kernel changes: ext2, ext3 and ext4; XFS; btrfs; tmpfs
  /// (statfs(2), `f_type`).
  fileprivate static let local: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994]

  private let state = Mutex(State())

  /// Creates a watch without directories.
  package init() {}

  /// The number of possible changes. If it is unchanged, no watched name has changed.
  package var changes: UInt64 {
    state.withLock { state in
      state.countEvents()
      return state.changes
    }
  }

  /// Watches every name of the given lookups, including watched names, because a directory may have been
  /// replaced. Returns `false` if some names cannot be watched.
  ///
  /// Call this before reading ``changes``, and read ``changes`` before repeating the lookups.
  package func watch(_ lookups: PathLookups) -> Bool {
    guard lookups.isComplete else { return false }
    return state.withLock { state in
      if state.watching == nil { state.watching = Watches() }
      // Compare bytes, because canonically equivalent spellings are different directories.
      var watches: [[UInt8]: Int32] = [:]
      for (directory, name) in lookups.names {
        let bytes = Array(directory.utf8)
        guard let number = watches[bytes] ?? state.watch(directory) else { return false }
        watches[bytes] = number
        state.watching?.names[number, default: []].insert(name)
      }
      return state.enforceLimit()
    }
  }
}

extension NameWatch.Watches {
  /// Returns whether an event may concern a relevant name.
  fileprivate func mayConcern(_ event: UnsafePointer<inotify_event>) -> Bool {
    let known = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM
    guard Int32(bitPattern: event.pointee.mask) & ~IN_ISDIR & ~known == 0, event.pointee.len > 0,
      let names = names[event.pointee.wd]
    else { return true }
    let found = String(cString: darkroom_inotify_name(event))
    return names.contains { NameWatch.mayBeSame($0, found) }
  }
}

extension NameWatch.State {
  /// Watches a directory. Returns the watch descriptor, or `nil` if the directory cannot be watched.
  fileprivate func watch(_ directory: String) -> Int32? {
    guard let type = try? FileSystem.type(of: directory), NameWatch.local.contains(type),
      let raw = watching?.descriptor.rawValue
    else { return nil }
    let mask = UInt32(
      IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    )
    let number = inotify_add_watch(raw, directory, mask)
    return number >= 0 ? number : nil
  }

  /// Returns whether the number of directories is within the limit. Otherwise discards all watches, and
  /// callers must watch their lookups again.
  fileprivate mutating func enforceLimit() -> Bool {
    guard let count = watching?.names.count, count > NameWatch.maximumDirectories else {
      return watching != nil
    }
    watching = nil
    changes += 1
    return false
  }

  /// Reads and counts events.
  fileprivate mutating func countEvents() {
    guard let raw = watching?.descriptor.rawValue, Self.hasEvents(raw) else { return }
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      for _ in 0..<NameWatch.maximumReads {
        guard let count = Descriptor.readOnce(raw, into: buffer) else { return }
        read(buffer, count)
      }
      // Names change faster than their events can be read.
      changes += 1
    }
  }

  /// Returns whether events are available. Usually there are none, and the caller has just polled the mount
  /// table. The second poll(2) in a row is several times faster than a first call of another kind.
  private static func hasEvents(_ raw: Int32) -> Bool {
    (try? Poller.events(of: raw, .readable).isEmpty) != true
  }

  /// Counts the events of one read, including unknown events: events may be lost, or a directory may be
  /// removed.
  private mutating func read(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int) {
    var offset = 0
    while offset < count, let place = buffer.baseAddress?.advanced(by: offset) {
      let event = place.assumingMemoryBound(to: inotify_event.self)
      if watching?.mayConcern(event) != false { changes += 1 }
      if Int32(bitPattern: event.pointee.mask) & IN_IGNORED != 0 { watching?.names[event.pointee.wd] = nil }
      offset += MemoryLayout<inotify_event>.size + Int(event.pointee.len)
    }
  }
}

extension NameWatch {
  /// Returns whether two names may be the same for a file system that ignores case. The rules beyond ASCII
  /// are unknown.
  fileprivate static func mayBeSame(_ one: String, _ other: String) -> Bool {
    let isPlain = one.utf8.allSatisfy { $0 < 0x80 } && other.utf8.allSatisfy { $0 < 0x80 }
    return !isPlain || one.lowercased() == other.lowercased()
  }
}
