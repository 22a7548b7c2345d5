// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension CurrentProcess {
  /// Fills the numbers of standard input, output and error where this process was started without: nothing that is
  /// opened later may be taken for them. Reading and writing fail there with `EBADF` as if they were still closed.
  ///
  /// The first thing to do; returns false if it can't be done.
  package static func fillStandardDescriptors() -> Bool {
    var status = stat()
    for number in Int32(0)...2 where fstat(number, &status) < 0 {
      // The lowest number that is free, which is this one.
      let flags = number == 0 ? O_WRONLY : O_RDONLY
      guard darkroom_openat(AT_FDCWD, "/dev/null", flags, 0) == number else { return false }
    }
    return true
  }
}

extension Descriptor {
  /// Whether a descriptor names a place in the file system and is not a stream: a directory, or anything that was opened
  /// with `O_PATH`.
  package static func isPlace(_ number: Int32) throws(SystemCallError) -> Bool {
    let flags = try check("fcntl") { darkroom_fcntl(number, F_GETFL, 0) }
    if Int32(flags) & O_PATH != 0 { return true }
    // Nobody can have opened a directory to write to it (open(2), EISDIR).
    guard Int32(flags) & O_ACCMODE == O_RDONLY else { return false }
    var status = stat()
    try check("fstat") { fstat(number, &status) }
    return FileStatus(status).kind == .directory
  }
}
