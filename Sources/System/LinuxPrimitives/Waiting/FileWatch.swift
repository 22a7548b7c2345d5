// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Says when a file should be read again, whether it is there yet or not (inotify(7)).
///
/// Its directory is watched, and as long as that is missing the nearest one above it that is there. What happened is not
/// told: events can be lost in the kernel's queue, and only the file itself says what is true now.
package struct FileWatch: ~Copyable, Sendable {
  /// Readable when something has happened; it does not block.
  package let descriptor: Descriptor
  private let directory: String
  private var watched: Int32 = -1

  private init(owning descriptor: consuming Descriptor, directory: String) {
    self.descriptor = descriptor
    self.directory = directory
  }

  /// Begins to watch the file with an absolute path; read it after this call, not before.
  package static func make(_ path: String) throws(SystemCallError) -> FileWatch {
    let made = Descriptor(
      owning: try check("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
    )
    var watch = FileWatch(owning: made, directory: FileSystem.directoryName(path))
    try watch.arm()
    return watch
  }

  /// Forgets what has happened, and watches what is there now; read the file after this call.
  package mutating func rearm() throws(SystemCallError) {
    try arm()
    // After that: what happened until now is seen by whoever reads the file next, and a watch that ends says so here.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    while case .bytes = try descriptor.read(into: buffer) {}
  }

  /// Watches the directory, or the nearest above it.
  private mutating func arm() throws(SystemCallError) {
    // A directory that is made between two looks is seen by the next round, because its parent is watched by then.
    for _ in 0..<16 {
      let (number, isTheOne) = try watchNearest()
      let isNew = number != watched
      if isNew && watched >= 0 { _ = inotify_rm_watch(descriptor.rawValue, watched) }
      watched = number
      if isTheOne || !isNew { return }
    }
  }

  /// Watches the nearest directory that is there.
  private borrowing func watchNearest() throws(SystemCallError) -> (number: Int32, isTheOne: Bool) {
    let raw = descriptor.rawValue
    // No reading and no opening: this package opens the file itself and would wake itself for ever.
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
