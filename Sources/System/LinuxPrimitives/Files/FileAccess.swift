// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Access rights to a file (access(2)).
  package struct AccessRights: OptionSet, Sendable {
    /// The bits of access(2).
    package let rawValue: Int32
    /// Creates rights from the bits of access(2).
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Read a file, or list a directory. The corresponding flag is `R_OK`.
    package static let read = AccessRights(rawValue: R_OK)
    /// Write to a file, or change the entries of a directory. The corresponding flag is `W_OK`.
    package static let write = AccessRights(rawValue: W_OK)
    /// Execute a file, or search a directory. The corresponding flag is `X_OK`.
    package static let execute = AccessRights(rawValue: X_OK)
  }

  /// Throws unless this process has the given rights to a file (faccessat(2), `AT_EACCESS`).
  ///
  /// `EROFS` means that the file system is read-only, which root's privileges do not change.
  package static func checkAccess(_ path: String, _ rights: AccessRights) throws(SystemCallError) {
    do {
      try check("faccessat", path: path) { faccessat(AT_FDCWD, path, rights.rawValue, AT_EACCESS) }
    } catch {
      // The older call, which filters permit, checks the real UID.
      guard darkroom_is_refused(darkroom_replaced_faccessat2) != 0, getuid() == geteuid() else { throw error }
      try check("access", path: path) { access(path, rights.rawValue) }
    }
  }

  /// Throws unless this process may write to `path`.
  package static func checkWritable(_ path: String) throws(SystemCallError) { try checkAccess(path, .write) }

  /// Whether this process may read a file, or list a directory.
  package static func isReadable(_ path: String) -> Bool { (try? checkAccess(path, .read)) != nil }
}
