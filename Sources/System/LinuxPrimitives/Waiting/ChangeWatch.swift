// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Tells that something has changed in some directories, but not what (inotify(7)).
///
/// For who looks at everything again anyway, because it is little.
package struct ChangeWatch: ~Copyable, Sendable {
  /// The descriptor to wait on; it does not block.
  package let descriptor: Descriptor

  /// Watches nothing yet.
  package init() throws(SystemCallError) {
    descriptor = Descriptor(
      owning: try check("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
    )
  }

  /// Watches a directory, or, if it is not there, the nearest one above it that is. Watching it again changes nothing.
  ///
  /// Call it before looking, and again before each look: the directory may have come or may be another now.
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

  /// Forgets what has been reported; call it before looking.
  package borrowing func acknowledge() throws(SystemCallError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 8)
    defer { buffer.deallocate() }
    while case .bytes = try descriptor.read(into: buffer) {}
  }
}
