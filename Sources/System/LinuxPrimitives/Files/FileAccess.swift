// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Rights to a file (access(2)).
  package struct AccessRights: OptionSet, Sendable {
    /// The bits of access(2).
    package let rawValue: Int32
    /// Wraps the bits of access(2).
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Reading a file, or listing a directory. The corresponding flag is `R_OK`.
    package static let read = AccessRights(rawValue: R_OK)
    /// Writing to a file, or changing the names in a directory. The corresponding flag is `W_OK`.
    package static let write = AccessRights(rawValue: W_OK)
    /// Executing a file, or searching a directory. The corresponding flag is `X_OK`.
    package static let execute = AccessRights(rawValue: X_OK)
  }

  /// Throws unless this process has these rights to a file (faccessat(2), `AT_EACCESS`).
  ///
  /// `EROFS` says that the file system is read-only, which root's privileges do not change.
  package static func checkAccess(_ path: String, _ rights: AccessRights) throws(SystemCallError) {
    do {
      try check("faccessat", path: path) { faccessat(AT_FDCWD, path, rights.rawValue, AT_EACCESS) }
    } catch {
      // The older call, which filters allow, checks the real user.
      guard darkroom_is_refused(darkroom_replaced_faccessat2) != 0, getuid() == geteuid() else { throw error }
      try check("access", path: path) { access(path, rights.rawValue) }
    }
  }

  /// Throws unless this process may write to `path` as it runs now.
  package static func checkWritable(_ path: String) throws(SystemCallError) { try checkAccess(path, .write) }

  /// Whether this process may read a file, or list a directory.
  package static func isReadable(_ path: String) -> Bool { (try? checkAccess(path, .read)) != nil }
}
