// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A change in a watched directory (inotify(7)).
package enum DirectoryChange: Hashable, Sendable {
  /// A name was added. The corresponding events are `IN_CREATE` and `IN_MOVED_TO`.
  case appeared(String)
  /// A name was removed. The corresponding events are `IN_DELETE` and `IN_MOVED_FROM`.
  case disappeared(String)
  /// The kernel lost events, so the directory must be read again. The corresponding event is `IN_Q_OVERFLOW`.
  case overflow
  /// The directory was removed or moved. The corresponding events are `IN_DELETE_SELF` and `IN_MOVE_SELF`.
  case directoryGone
}

/// A watch of the names in one directory.
package struct DirectoryWatch: ~Copyable, Sendable {
  /// The nonblocking descriptor to wait on.
  package let descriptor: Descriptor

  /// Starts watching a directory. Read the directory after this call, so that no change is missed.
  package init(_ path: String) throws(SystemCallError) {
    let made = Descriptor(
      owning: try check("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
    )
    let raw = made.rawValue
    let mask = UInt32(
      IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    )
    try check("inotify_add_watch", path: path) { inotify_add_watch(raw, path, mask) }
    descriptor = made
  }

  /// Returns the changes since the last call, or an empty array if there are none.
  package borrowing func changes() throws(SystemCallError) -> [DirectoryChange] {
    var changes: [DirectoryChange] = []
    // The alignment of the kernel's structure.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)
    defer { buffer.deallocate() }
    while case .bytes(let count) = try descriptor.read(into: buffer) {
      var offset = 0
      while offset < count, let event = buffer.baseAddress?.advanced(by: offset) {
        let header = event.assumingMemoryBound(to: inotify_event.self)
        if let change = Self.change(header) { changes.append(change) }
        offset += MemoryLayout<inotify_event>.size + Int(header.pointee.len)
      }
    }
    return changes
  }

  private static func change(_ event: UnsafePointer<inotify_event>) -> DirectoryChange? {
    let mask = Int32(bitPattern: event.pointee.mask)
    if mask & IN_Q_OVERFLOW != 0 { return .overflow }
    if mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 { return .directoryGone }
    guard event.pointee.len > 0 else { return nil }
    let name = String(cString: darkroom_inotify_name(event))
    return mask & (IN_CREATE | IN_MOVED_TO) != 0 ? .appeared(name) : .disappeared(name)
  }
}
