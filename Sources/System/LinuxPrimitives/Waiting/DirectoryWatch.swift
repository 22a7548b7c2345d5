// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What happened in a watched directory (inotify(7)).
package enum DirectoryChange: Hashable, Sendable {
  /// A name is there now. The corresponding events are `IN_CREATE` and `IN_MOVED_TO`.
  case appeared(String)
  /// A name is gone. The corresponding events are `IN_DELETE` and `IN_MOVED_FROM`.
  case disappeared(String)
  /// The kernel lost events: look at the whole directory again. The corresponding event is `IN_Q_OVERFLOW`.
  case overflow
  /// The directory itself is gone. The corresponding events are `IN_DELETE_SELF` and `IN_MOVE_SELF`.
  case directoryGone
}

/// Watches the names in one directory.
package struct DirectoryWatch: ~Copyable, Sendable {
  /// The descriptor to wait on; it does not block.
  package let descriptor: Descriptor

  /// Begins to watch. What happens from now on is reported, so list the directory after this call, not before.
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

  /// Everything that has happened since the last call; empty if nothing has.
  package borrowing func changes() throws(SystemCallError) -> [DirectoryChange] {
    var changes: [DirectoryChange] = []
    // Aligned as the kernel's structure needs it.
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
