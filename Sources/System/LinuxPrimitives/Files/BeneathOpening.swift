// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Opens paths below a directory so that the path can lead nowhere else.
///
/// The kernel resolves the path by openat2(2). Where that call is refused, this code resolves the path name by name and is as
/// strict: each name is opened with `O_PATH` and `O_NOFOLLOW`, and what was opened is examined, whatever the name leads to by
/// then.
enum BeneathOpening {
  /// The call in errors that are not those of a single call.
  private static let call: StaticString = "openat2"

  /// Opens a path below an open directory, following no symbolic link and entering no other mount (`RESOLVE_BENEATH`,
  /// `RESOLVE_NO_SYMLINKS`, `RESOLVE_NO_XDEV`). `name` is the path in an error.
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
  /// - Throws: The errors of openat2(2): `EXDEV` for an absolute path, `..` and another mount, `ELOOP` for a symbolic link.
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

  /// Opens a file with the flags that were asked for which is open as a path. The link in `/proc` leads to this very file.
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

/// The facts about an open file that the resolution of a path needs (statx(2)).
private struct MountedFile {
  var isDirectory: Bool
  var isLink: Bool
  /// The ID of the mount that the file was reached by.
  var mount: UInt64

  /// Reads the facts of an open file. A device number would not tell a bind mount from the directory around it.
  init(_ file: borrowing Descriptor) throws(SystemCallError) {
    let raw = file.rawValue
    var result = statx()
    let wanted = UInt32(STATX_TYPE) | UInt32(STATX_MNT_ID)
    try check("statx") { statx(raw, "", AT_EMPTY_PATH, wanted, &result) }
    // glibc replaces a call that the kernel does not have, and then there is no ID.
    guard result.stx_mask & UInt32(STATX_MNT_ID) != 0 else {
      throw SystemCallError("statx", errno: .notImplemented)
    }
    let type = darkroom_file_type(mode_t(result.stx_mode))
    isDirectory = type == S_IFDIR
    isLink = type == S_IFLNK
    mount = result.stx_mnt_id
  }
}
