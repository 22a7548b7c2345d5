// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Synchronization

/// Tells that names which paths lead through may be others than they were, so that they need not be looked at as long as
/// it does not (inotify(7)).
///
/// It knows of names alone, on file systems where nobody but this kernel changes them. A change of the mounts it does not
/// see: who uses it has to (proc_pid_mountinfo(5)).
package final class NameWatch: Sendable {
  /// The one of this process: a user has few instances of inotify.
  package static let shared = NameWatch()

  /// What is watched.
  fileprivate final class Watching {
    /// Where the kernel tells of changes; it does not wait.
    let descriptor: Descriptor
    /// The names that count in the directory of each watch.
    var names: [Int32: Set<String>] = [:]

    /// Watches nothing yet; nil: this user has no instance left.
    init?() {
      let raw = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      guard raw >= 0 else { return nil }
      descriptor = Descriptor(owning: raw)
    }
  }

  /// All that changes.
  fileprivate struct State {
    /// Nil: nothing is watched yet, or nothing can be.
    var watching: Watching?
    /// How often something may have changed.
    var changes: UInt64 = 0
  }

  /// More directories than this are not watched at once; the host of a few apps needs some dozens.
  fileprivate static let mostDirectories = 512
  /// How often is read at once.
  fileprivate static let mostReads = 256
  /// Where all changes of names are made by this kernel: ext2, ext3 and ext4; XFS; btrfs; tmpfs (statfs(2), `f_type`).
  fileprivate static let local: Set<Int> = [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994]

  private let state = Mutex(State())

  /// Watches nothing yet.
  package init() {}

  /// How often something may have changed; as long as this is the same number, nothing has that is watched.
  package var changes: UInt64 {
    state.withLock { state in
      state.notice()
      return state.changes
    }
  }

  /// Watches every name that was looked at, also those that are watched already: a directory may be another now. False if
  /// not all of them can be watched.
  ///
  /// Call it before ``changes``, and that before the names are looked at again.
  package func watch(_ lookups: PathLookups) -> Bool {
    guard lookups.isComplete else { return false }
    return state.withLock { state in
      if state.watching == nil { state.watching = Watching() }
      // By their bytes: two spellings of one letter are two directories.
      var watches: [[UInt8]: Int32] = [:]
      for (directory, name) in lookups.names {
        let bytes = Array(directory.utf8)
        guard let number = watches[bytes] ?? state.watch(directory) else { return false }
        watches[bytes] = number
        state.watching?.names[number, default: []].insert(name)
      }
      return state.keepWithinBounds()
    }
  }
}

extension NameWatch.Watching {
  /// Whether an event may be about a name that counts.
  fileprivate func isAbout(_ event: UnsafePointer<inotify_event>) -> Bool {
    let known = IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM
    guard Int32(bitPattern: event.pointee.mask) & ~IN_ISDIR & ~known == 0, event.pointee.len > 0,
      let names = names[event.pointee.wd]
    else { return true }
    let found = String(cString: darkroom_inotify_name(event))
    return names.contains { NameWatch.mayBeSame($0, found) }
  }
}

extension NameWatch.State {
  /// Watches a directory, and gives the number of the watch; nil: that is not possible.
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

  /// Whether not too much is watched; else nothing is any more, and who wants it has to have it watched again.
  fileprivate mutating func keepWithinBounds() -> Bool {
    guard let count = watching?.names.count, count > NameWatch.mostDirectories else { return watching != nil }
    watching = nil
    changes += 1
    return false
  }

  /// Counts what has happened.
  fileprivate mutating func notice() {
    guard let raw = watching?.descriptor.rawValue, Self.hasNews(raw) else { return }
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      for _ in 0..<NameWatch.mostReads {
        guard let count = Descriptor.readOnce(raw, into: buffer) else { return }
        read(buffer, count)
      }
      // Somebody changes names faster than they can be read.
      changes += 1
    }
  }

  /// Whether there is anything to read. Mostly there is not, and whoever asks has just asked about the mounts in the same way:
  /// the first call of a kind takes several times as long as the second.
  private static func hasNews(_ raw: Int32) -> Bool {
    (try? Poller.events(of: raw, .readable).isEmpty) != true
  }

  /// Counts the events of one reading, also those that are not known: that some were lost, or that a directory is gone.
  private mutating func read(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int) {
    var offset = 0
    while offset < count, let place = buffer.baseAddress?.advanced(by: offset) {
      let event = place.assumingMemoryBound(to: inotify_event.self)
      if watching?.isAbout(event) != false { changes += 1 }
      if Int32(bitPattern: event.pointee.mask) & IN_IGNORED != 0 { watching?.names[event.pointee.wd] = nil }
      offset += MemoryLayout<inotify_event>.size + Int(event.pointee.len)
    }
  }
}

extension NameWatch {
  /// Whether two names may be one to a file system, some of which take letters of both cases for the same. Beyond ASCII
  /// nobody says which.
  fileprivate static func mayBeSame(_ one: String, _ other: String) -> Bool {
    let isPlain = one.utf8.allSatisfy { $0 < 0x80 } && other.utf8.allSatisfy { $0 < 0x80 }
    return !isPlain || one.lowercased() == other.lowercased()
  }
}
