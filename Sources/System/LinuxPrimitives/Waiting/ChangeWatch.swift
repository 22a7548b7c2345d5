// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A watch that reports that something has changed in some directories (inotify(7)).
///
/// It does not report the change itself. It is intended for callers that reread everything after a change.
package struct ChangeWatch: ~Copyable, Sendable {
  /// The nonblocking descriptor to wait on.
  package let descriptor: Descriptor

  /// Creates a watch without directories.
  package init() throws(SystemCallError) {
    descriptor = Descriptor(
      owning: try check("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
    )
  }

  /// Watches a directory, or its nearest existing ancestor. Watching a directory again has no effect.
  ///
  /// Call this before each read of the directory, because the directory may have been created or replaced.
  package borrowing func watch(_ path: String) throws(SystemCallError) {
    let raw = descriptor.rawValue
    let mask = UInt32(
      IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    )
    var place = path
    while true {
      do {
        try check("inotify_add_watch", path: place) { inotify_add_watch(raw, place, mask) }
        return
      } catch  where error.errno == .noSuchFile || error.errno == .notADirectory {
        guard place != "/", place != "." else { throw error }
        place = FileSystem.directoryName(place)
      }
    }
  }

  /// Discards reported changes. Call this before reading the directories.
  package borrowing func acknowledge() throws(SystemCallError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 8)
    defer { buffer.deallocate() }
    while case .bytes = try descriptor.read(into: buffer) {}
  }
}
