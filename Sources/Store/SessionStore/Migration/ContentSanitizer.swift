// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Sanitization of file metadata: flags, owner, mode, extended attributes and times. File data is not
/// touched.
struct ContentSanitizer: Sendable {
  private let owner: UInt32
  private let group: UInt32
  /// The flags that new files inherit from the directory of the state root.
  private let inherited: FileFlags

  /// Creates a sanitizer that assigns the owner of the state root.
  init(for root: StateRoot) throws(StoreError) {
    let (status, flags) = try system { () throws(SystemCallError) in
      let directory = try FileSystem.open(root.sessionsDirectory, [.directory])
      return (try directory.status(), try directory.flags())
    }
    owner = status.owner
    group = status.group
    inherited = flags
  }

  /// Sanitizes an open file with the given current status.
  ///
  /// The order matters: flags can forbid all other changes, an access control list determines the meaning of
  /// the mode, and a change of owner changes the mode. Times are set last.
  ///
  /// - Returns: The notable changes, or `nil` if this user is not permitted to make them.
  func sanitize(
    _ file: borrowing Descriptor,
    _ status: FileStatus
  ) throws(SystemCallError) -> [Sanitization]? {
    do {
      var changes: [Sanitization] = []
      if try clearFlags(file) { changes.append(.flagsCleared) }
      if try removeAttributes(file) { changes.append(.attributesRemoved) }
      try changeOwner(file, status)
      if status.permissions & 0o7000 != 0 { changes.append(.specialBitsCleared) }
      let mode: UInt32 = status.kind == .directory ? 0o700 : 0o600
      if status.permissions != mode { try file.setPermissions(mode) }
      if try correctTimes(file, status) { changes.append(.timeSetToNow) }
      return changes
    } catch  where error.errno == .notPermitted || error.errno == .permissionDenied {
      return nil
    }
  }

  /// Assigns the owner of the state root.
  ///
  /// The group is changed where permitted: an unprivileged user can assign only groups of which it is a
  /// member. The mode grants the group no access.
  private func changeOwner(_ file: borrowing Descriptor, _ status: FileStatus) throws(SystemCallError) {
    guard status.owner != owner || status.group != group else { return }
    do {
      try file.setOwner(owner, group: group)
    } catch  where error.errno == .notPermitted && status.owner == owner {
      return
    }
  }

  /// Sets times in the future or before 1970 to the current time.
  ///
  /// Backup, build and archive programs mistake a time in the future for a pending change, and many formats
  /// cannot represent times before 1970.
  ///
  /// - Returns: Whether any time was changed.
  private func correctTimes(
    _ file: borrowing Descriptor,
    _ status: FileStatus
  ) throws(SystemCallError) -> Bool {
    let now = WallClock.milliseconds * 1_000_000
    // The clock is rounded down to milliseconds.
    let latest = now + 999_999
    let possible = 0...latest
    guard !possible.contains(status.modified) || !possible.contains(status.accessed) else { return false }
    try file.setTimes(
      accessed: possible.contains(status.accessed) ? min(status.accessed, now) : now,
      modified: possible.contains(status.modified) ? min(status.modified, now) : now
    )
    return true
  }

  /// Clears flags that were not inherited.
  ///
  /// - Returns: Whether there were any.
  private func clearFlags(_ file: borrowing Descriptor) throws(SystemCallError) -> Bool {
    // Unreadable flags are treated as none. A flag that forbids changes makes a later call fail.
    let flags = (try? file.flags()) ?? []
    let foreign = flags.intersection(.foreign).subtracting(inherited)
    guard !foreign.isEmpty else { return false }
    try file.setFlags(flags.subtracting(foreign))
    return true
  }

  /// Removes extended attributes that the system did not set.
  ///
  /// They are not a reason for quarantine, because they are not part of the data and a lost capture would be
  /// worse.
  ///
  /// - Returns: Whether there were any.
  private func removeAttributes(_ file: borrowing Descriptor) throws(SystemCallError) -> Bool {
    var found = false
    for name in try file.attributeNames() where Self.isForeign(name) {
      try file.removeAttribute(name)
      found = true
    }
    return found
  }

  /// Whether an attribute can come from an extension. Labels of security modules and attributes of the file
  /// system do not.
  private static func isForeign(_ name: String) -> Bool {
    if name.hasPrefix("user.") || name.hasPrefix("trusted.") || name.hasPrefix("system.posix_acl_") {
      return true
    }
    guard name.hasPrefix("security.") else { return false }
    return !labels.contains { name == $0 || name.hasPrefix($0 + ".") } && !name.hasPrefix("security.SMACK64")
  }

  /// The attributes of SELinux, AppArmor and the kernel's integrity subsystem.
  private static let labels = ["security.selinux", "security.apparmor", "security.ima", "security.evm"]
}
