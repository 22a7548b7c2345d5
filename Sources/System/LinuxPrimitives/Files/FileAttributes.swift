// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Changes of file attributes.
extension Descriptor {
  /// Sets the permission bits (fchmod(2)).
  package borrowing func setPermissions(_ permissions: UInt32) throws(SystemCallError) {
    let raw = rawValue
    try check("fchmod") { fchmod(raw, permissions) }
  }

  /// Sets the permission bits of a file that is open as a path (`O_PATH`), which fchmod(2) refuses.
  ///
  /// Kernels before 6.6 have no call for this, but the link in `/proc` refers to this file even if it was
  /// renamed.
  package borrowing func setPermissionsOfPath(_ permissions: UInt32) throws(SystemCallError) {
    let path = "/proc/self/fd/\(rawValue)"
    try check("chmod", path: path) { chmod(path, permissions) }
  }

  /// Sets the owner and group (fchown(2)).
  package borrowing func setOwner(_ owner: UInt32, group: UInt32) throws(SystemCallError) {
    let raw = rawValue
    try check("fchown") { fchown(raw, owner, group) }
  }

  /// Sets the access and modification times to the current time (futimens(3)).
  package borrowing func setTimesToNow() throws(SystemCallError) {
    let raw = rawValue
    try check("utimensat") { futimens(raw, nil) }
  }

  /// Sets the access and modification times in nanoseconds since 1970 (futimens(3)).
  package borrowing func setTimes(accessed: Int64, modified: Int64) throws(SystemCallError) {
    let raw = rawValue
    var times = [accessed, modified].map { (moment: Int64) -> timespec in
      let seconds = moment.quotientAndRemainder(dividingBy: 1_000_000_000)
      let isBefore = seconds.remainder < 0
      return timespec(
        tv_sec: Int(isBefore ? seconds.quotient - 1 : seconds.quotient),
        tv_nsec: Int(isBefore ? seconds.remainder + 1_000_000_000 : seconds.remainder)
      )
    }
    try check("utimensat") { futimens(raw, &times) }
  }

  /// Returns the names of the extended attributes (flistxattr(2)), or an empty array if the file system does
  /// not support them.
  package borrowing func attributeNames() throws(SystemCallError) -> [String] {
    let raw = rawValue
    do {
      guard try check("flistxattr", { flistxattr(raw, nil, 0) }) > 0 else { return [] }
      // XATTR_LIST_MAX, the kernel's limit.
      var list = [CChar](repeating: 0, count: 65536)
      let length = try check("flistxattr") { flistxattr(raw, &list, list.count) }
      return list[..<length].split(separator: 0).map {
        String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    } catch  where error.errno.rawValue == EOPNOTSUPP {
      return []
    }
  }

  /// Returns the value of an extended attribute of at most 255 bytes (fgetxattr(2)).
  package borrowing func attribute(_ name: String) throws(SystemCallError) -> [UInt8] {
    let raw = rawValue
    var value = [UInt8](repeating: 0, count: 255)
    let length = try check("fgetxattr", path: name) { fgetxattr(raw, name, &value, value.count) }
    return Array(value[..<length])
  }

  /// Removes an extended attribute (fremovexattr(2)). A missing attribute is not an error.
  package borrowing func removeAttribute(_ name: String) throws(SystemCallError) {
    let raw = rawValue
    do {
      try check("fremovexattr", path: name) { fremovexattr(raw, name) }
    } catch  where error.errno.rawValue == ENODATA {
      return
    }
  }

  /// Sets an extended attribute (fsetxattr(2)).
  package borrowing func setAttribute(_ name: String, to value: [UInt8]) throws(SystemCallError) {
    let raw = rawValue
    try check("fsetxattr", path: name) { fsetxattr(raw, name, value, value.count, 0) }
  }
}
