// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension CurrentProcess {
  /// Opens standard input, output and error if this process was started without them, so that no file opened
  /// later gets their numbers. Returns `false` on failure.
  ///
  /// Reads and writes fail with `EBADF` as if the descriptors were closed. Call this function first.
  package static func fillStandardDescriptors() -> Bool {
    var status = stat()
    for number in Int32(0)...2 where fstat(number, &status) < 0 {
      // The lowest free number is this one.
      let flags = number == 0 ? O_WRONLY : O_RDONLY
      guard darkroom_openat(AT_FDCWD, "/dev/null", flags, 0) == number else { return false }
    }
    return true
  }
}

extension Descriptor {
  /// Returns whether a descriptor refers to a file system location and not to a stream: a directory, or a
  /// file opened with `O_PATH`.
  package static func isDirectoryOrPath(_ number: Int32) throws(SystemCallError) -> Bool {
    let flags = try check("fcntl") { darkroom_fcntl(number, F_GETFL, 0) }
    if Int32(flags) & O_PATH != 0 { return true }
    // A directory cannot be open for writing (open(2), EISDIR).
    guard Int32(flags) & O_ACCMODE == O_RDONLY else { return false }
    var status = stat()
    try check("fstat") { fstat(number, &status) }
    return FileStatus(status).kind == .directory
  }
}

extension Descriptor {
  /// Takes ownership of a descriptor that this process inherited, and makes it close-on-exec.
  ///
  /// Throws `EBADF` if the descriptor is not open. The corresponding command is `F_SETFD`.
  package static func inherited(_ number: Int32) throws(SystemCallError) -> Descriptor {
    try check("fcntl") { darkroom_fcntl(number, F_SETFD, Int(FD_CLOEXEC)) }
    return Descriptor(owning: number)
  }
}
