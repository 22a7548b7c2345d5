// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Opens paths below a directory so that the path cannot lead outside.
///
/// The kernel resolves the path (openat2(2)). If that call is refused, this code resolves the path component
/// by component and is as strict. It opens each component with `O_PATH` and `O_NOFOLLOW` and examines the
/// opened file, whatever the name refers to by then.
enum BeneathOpening {
  /// The name of the call in errors that do not come from a single call.
  private static let call: StaticString = "openat2"

  /// Opens a path below an open directory, following no symbolic link and crossing no mount point
  /// (`RESOLVE_BENEATH`, `RESOLVE_NO_SYMLINKS`, `RESOLVE_NO_XDEV`). Errors contain `name` as the path.
  static func open(
    _ path: [CChar],
    below directory: Int32,
    _ flags: OpenFlags,
    name: String? = nil
  ) throws(SystemCallError) -> Descriptor {
    let resolve = UInt64(RESOLVE_BENEATH) | UInt64(RESOLVE_NO_SYMLINKS) | UInt64(RESOLVE_NO_XDEV)
    let bits = UInt64(UInt32(bitPattern: flags.rawValue | O_CLOEXEC))
    do {
      let opened = try check(call, path: name) { darkroom_openat2(directory, path, bits, 0, resolve) }
      return Descriptor(owning: opened)
    } catch {
      guard darkroom_is_refused(darkroom_replaced_openat2) != 0 else { throw error }
      return try walk(path, below: directory, flags, name: name)
    }
  }

  /// Opens a path below an open directory without openat2(2).
  ///
  /// Throws the errors of openat2(2): `EXDEV` for an absolute path, `..` or a mount point, and `ELOOP` for a
  /// symbolic link.
  static func walk(
    _ path: [CChar],
    below directory: Int32,
    _ flags: OpenFlags,
    name: String? = nil
  ) throws(SystemCallError) -> Descriptor {
    let slash = CChar(UInt8(ascii: "/"))
    let text = path.prefix { $0 != 0 }
    guard !text.isEmpty else { throw SystemCallError(call, path: name, errno: .noSuchFile) }
    guard text.first != slash else { throw SystemCallError(call, path: name, errno: .crossDevice) }
    var current = Descriptor(
      owning: try check("openat", path: name) {
        darkroom_openat(directory, ".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0)
      }
    )
    var file = try MountedFile(current)
    let mount = file.mount
    for part in text.split(separator: slash) {
      try requireDirectory(file, name)
      let part = Array(part) + [0]
      guard part != [46, 46, 0] else { throw SystemCallError(call, path: name, errno: .crossDevice) }
      let raw = current.rawValue
      current = Descriptor(
        owning: try check("openat", path: name) {
          darkroom_openat(raw, part, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0)
        }
      )
      file = try MountedFile(current)
      if file.mount != mount { throw SystemCallError(call, path: name, errno: .crossDevice) }
    }
    if text.last == slash { try requireDirectory(file, name) }
    return try reopen(current, file, flags, name)
  }

  private static func requireDirectory(_ file: MountedFile, _ name: String?) throws(SystemCallError) {
    if file.isLink { throw SystemCallError(call, path: name, errno: .tooManyLinks) }
    if !file.isDirectory { throw SystemCallError(call, path: name, errno: .notADirectory) }
  }

  /// Reopens a file that is open as a path (`O_PATH`) with the requested flags. The link in `/proc` refers to
  /// this file even if it was renamed.
  private static func reopen(
    _ opened: consuming Descriptor,
    _ file: MountedFile,
    _ flags: OpenFlags,
    _ name: String?
  ) throws(SystemCallError) -> Descriptor {
    if file.isLink, !flags.contains(.noFollow) {
      throw SystemCallError(call, path: name, errno: .tooManyLinks)
    }
    if flags.contains(.directory), !file.isDirectory {
      throw SystemCallError(call, path: name, errno: .notADirectory)
    }
    if file.isLink, !flags.contains(.path) {
      throw SystemCallError(call, path: name, errno: .tooManyLinks)
    }
    if flags.contains(.path) { return opened }
    let link = "/proc/self/fd/\(opened.rawValue)"
    let bits = flags.subtracting(.noFollow).rawValue | O_CLOEXEC
    return Descriptor(
      owning: try check("openat", path: name) { darkroom_openat(AT_FDCWD, link, bits, 0) }
    )
  }
}

/// The attributes of an open file that the resolution of a path needs (statx(2)).
private struct MountedFile {
  var isDirectory: Bool
  var isLink: Bool
  /// The ID of the mount through which the file was opened.
  var mount: UInt64

  /// Reads the attributes of an open file. A device number would not distinguish a bind mount from the
  /// directory around it.
  init(_ file: borrowing Descriptor) throws(SystemCallError) {
    let raw = file.rawValue
    var result = statx()
    let wanted = UInt32(STATX_TYPE) | UInt32(STATX_MNT_ID)
    try check("statx") { statx(raw, "", AT_EMPTY_PATH, wanted, &result) }
    // glibc emulates the call on kernels without it, and then there is no mount ID.
    guard result.stx_mask & UInt32(STATX_MNT_ID) != 0 else {
      throw SystemCallError("statx", errno: .notImplemented)
    }
    let type = darkroom_file_type(mode_t(result.stx_mode))
    isDirectory = type == S_IFDIR
    isLink = type == S_IFLNK
    mount = result.stx_mnt_id
  }
}
