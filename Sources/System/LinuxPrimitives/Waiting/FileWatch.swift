// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A watch that reports when a file should be read again, including a file that does not exist yet
/// (inotify(7)).
///
/// The directory of the file is watched, or its nearest existing ancestor. The changes themselves are not
/// reported: the kernel's queue can lose events, and only the file shows its current state.
package struct FileWatch: ~Copyable, Sendable {
  /// The nonblocking descriptor, which is readable after a change.
  package let descriptor: Descriptor
  private let directory: String
  private var watched: Int32 = -1

  private init(owning descriptor: consuming Descriptor, directory: String) {
    self.descriptor = descriptor
    self.directory = directory
  }

  /// Starts watching the file at an absolute path. Read the file after this call, so that no change is
  /// missed.
  package static func make(_ path: String) throws(SystemCallError) -> FileWatch {
    let made = Descriptor(
      owning: try check("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
    )
    var watch = FileWatch(owning: made, directory: FileSystem.directoryName(path))
    try watch.arm()
    return watch
  }

  /// Discards reported changes and watches the directories that exist now. Read the file after this call.
  package mutating func rearm() throws(SystemCallError) {
    try arm()
    // Discard events after arming: the caller reads the file next, and the removal of an old watch causes an
    // event here.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    while case .bytes = try descriptor.read(into: buffer) {}
  }

  /// Watches the directory, or its nearest existing ancestor.
  private mutating func arm() throws(SystemCallError) {
    // A directory that is created between two iterations is found by the next one, because its parent is
    // watched by then.
    for _ in 0..<16 {
      let (number, isTarget) = try watchNearest()
      let isNew = number != watched
      if isNew && watched >= 0 { _ = inotify_rm_watch(descriptor.rawValue, watched) }
      watched = number
      if isTarget || !isNew { return }
    }
  }

  /// Watches the nearest existing directory.
  private borrowing func watchNearest() throws(SystemCallError) -> (number: Int32, isTarget: Bool) {
    let raw = descriptor.rawValue
    // Reads and opens are not watched: this package opens the file itself, which would cause an endless loop.
    let mask = UInt32(
      IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    )
    var candidate = directory
    while true {
      do {
        let path = candidate
        let number = try check("inotify_add_watch", path: path) { inotify_add_watch(raw, path, mask) }
        return (number, candidate == directory)
      } catch {
        guard error.errno == .noSuchFile || error.errno == .notADirectory, candidate != "/" else {
          throw error
        }
        candidate = FileSystem.directoryName(candidate)
      }
    }
  }
}
