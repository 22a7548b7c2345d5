// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Whether anybody can still write to a file that they have open or mapped.
package enum FileWriters: Hashable, Sendable {
  /// Nobody has it open for writing, in any process.
  case none
  /// Somebody has.
  case some
  /// The file system does not say.
  case unknown
}

extension Descriptor {
  /// Whether somebody has this regular file, which is open only for reading, open for writing or mapped so that they can
  /// write. The file's owner or root can ask.
  ///
  /// The kernel gives a lease for reading only where nobody can write. It is given back at once; who opens the file
  /// between the two calls waits that long, and the signal that would tell of it is one that does nothing by itself.
  /// The corresponding commands are `F_SETSIG` and `F_SETLEASE`.
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
