// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Opens paths below a directory so that the path can lead nowhere else.
///
/// The kernel resolves the path by openat2(2). Where that call is refused, this code resolves the path name by name and is as
/// strict: each name is opened with `O_PATH` and `O_NOFOLLOW`, and what was opened is examined, whatever the name leads to by
/// then.
enum BeneathOpening {
  /// What the resolution of a path refuses beside symbolic links and `..`.
  enum Mounts {
    /// Nothing else.
    case crossed
    /// Entering another mount, also one of the same file system. The corresponding flag is `RESOLVE_NO_XDEV`.
    case refused
  }

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
      return try walk(path, below: directory, flags, .refused, name: name)
    }
  }

  /// Opens a path below an open directory without openat2(2).
  ///
  /// - Throws: The errors of openat2(2): `EXDEV` for an absolute path, `..` and another mount, `ELOOP` for a symbolic link.
  static func walk(
    _ path: [CChar],
    below directory: Int32,
    _ flags: OpenFlags,
    _ mounts: Mounts,
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
    let mount = mounts == .refused ? try MountedFile(current).mount : nil
    var file = MountedFile(isDirectory: true, isLink: false, mount: mount)
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
      if let mount, file.mount != mount { throw SystemCallError(call, path: name, errno: .crossDevice) }
    }
    if text.last == slash { try requireDirectory(file, name) }
    return try reopen(current, file, flags, name)
  }

  /// Whether a path, followed through all its links, stays below a directory, without openat2(2). Each name is looked up from
  /// the directory on: a link that changes meanwhile leads to another name, and to nothing outside.
  static func staysBeneath(_ path: String, _ directory: Int32) throws(SystemCallError) -> Bool {
    // As many links as the kernel follows for one path (path_resolution(7)).
    let mostLinks = 40
    var links = 0
    guard !path.hasPrefix("/") else { return false }
    var left = Array(path.split(separator: "/").reversed())
    var place: [Substring] = []
    while let name = left.popLast() {
      if name == "." { continue }
      if name == ".." {
        guard place.popLast() != nil else { return false }
        continue
      }
      place.append(name)
      let entry: Descriptor
      do {
        let here = place.joined(separator: "/")
        entry = try walk(Array(here.utf8CString), below: directory, [.path, .noFollow], .crossed, name: here)
      } catch  where error.errno == .noSuchFile || error.errno == .notADirectory {
        // A path that leads nowhere stays below.
        return true
      }
      guard try MountedFile(entry).isLink else { continue }
      links += 1
      let target = try FileSystem.linkTarget("", in: .directory(entry.rawValue))
      guard !target.hasPrefix("/") else { return false }
      guard links <= mostLinks else { return true }
      place.removeLast()
      left += target.split(separator: "/").reversed()
    }
    return true
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

/// What the resolution of a path has to know of an open file (statx(2)).
private struct MountedFile {
  var isDirectory: Bool
  var isLink: Bool
  /// The ID of the mount that the file was reached by; `nil` if nobody asks.
  var mount: UInt64?

  init(isDirectory: Bool, isLink: Bool, mount: UInt64?) {
    (self.isDirectory, self.isLink, self.mount) = (isDirectory, isLink, mount)
  }

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
