// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Whether any process can write to an open or mapped file.
package enum FileWriters: Hashable, Sendable {
  /// No process has the file open for writing.
  case none
  /// A process has the file open for writing.
  case some
  /// The file system does not report this.
  case unknown
}

extension Descriptor {
  /// Returns whether a process has this regular file open or mapped for writing. The descriptor must be
  /// read-only. Only the file's owner or root may query this.
  ///
  /// The kernel grants a read lease only if no process can write. The lease is released at once. A process
  /// that opens the file in between waits for that time. The signal that would report this process has no
  /// effect by default. The corresponding commands are `F_SETSIG` and `F_SETLEASE`.
  package borrowing func writers() -> FileWriters {
    let raw = rawValue
    guard darkroom_fcntl(raw, F_SETSIG, Int(SIGURG)) == 0 else { return .unknown }
    guard darkroom_fcntl(raw, F_SETLEASE, Int(F_RDLCK)) == 0 else {
      return Errno.current == .wouldBlock ? .some : .unknown
    }
    _ = darkroom_fcntl(raw, F_SETLEASE, Int(F_UNLCK))
    return .none
  }
}
