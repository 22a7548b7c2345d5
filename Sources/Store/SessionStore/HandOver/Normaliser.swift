// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Makes files ordinary without touching their data: flags, owner, mode, attributes, times.
struct Normaliser: Sendable {
  private let owner: UInt32
  private let group: UInt32
  /// The flags that everything in the state root has because its directory has them: not an extension's.
  private let inherited: FileFlags

  /// Everything gets the owner of the state root.
  init(for root: StateRoot) throws(StoreError) {
    let (status, flags) = try system { () throws(SystemCallError) in
      let directory = try FileSystem.open(root.sessionsDirectory, [.directory])
      return (try directory.status(), try directory.flags())
    }
    owner = status.owner
    group = status.group
    inherited = flags
  }

  /// Makes an open file ordinary, which has just been found to have this status, and says what was worth noting; nil if
  /// this user may not.
  ///
  /// Flags go first, because some forbid all the rest; then attributes, because an access list decides what the mode
  /// means; then the owner, because a change of owner changes the mode; the mode after it; the times last.
  func normalise(
    _ file: borrowing Descriptor,
    _ status: FileStatus
  ) throws(SystemCallError) -> [Normalisation]? {
    do {
      var changes: [Normalisation] = []
      if try clearFlags(file) { changes.append(.flagsCleared) }
      if try removeAttributes(file) { changes.append(.attributesRemoved) }
      try give(file, status)
      if status.permissions & 0o7000 != 0 { changes.append(.specialBitsCleared) }
      let mode: UInt32 = status.kind == .directory ? 0o700 : 0o600
      if status.permissions != mode { try file.setPermissions(mode) }
      if try setImpossibleTimes(file, status) { changes.append(.timeSetToNow) }
      return changes
    } catch  where error.errno == .notPermitted || error.errno == .permissionDenied {
      return nil
    }
  }

  /// Gives a file to the owner of the state root.
  ///
  /// Its group is changed where it may be: an ordinary user gives files only to groups that are theirs, and the mode
  /// allows a group nothing.
  private func give(_ file: borrowing Descriptor, _ status: FileStatus) throws(SystemCallError) {
    guard status.owner != owner || status.group != group else { return }
    do {
      try file.setOwner(owner, group: group)
    } catch  where error.errno == .notPermitted && status.owner == owner {
      return
    }
  }

  /// Sets times in the future or before 1970 to now, and returns whether there were any.
  ///
  /// Backup, build and archive programs take a time in the future for a change that is still to come, and many formats
  /// cannot hold a time before 1970.
  private func setImpossibleTimes(
    _ file: borrowing Descriptor,
    _ status: FileStatus
  ) throws(SystemCallError) -> Bool {
    let now = WallClock.milliseconds * 1_000_000
    // Less than a millisecond of the future is how the clock was rounded.
    let latest = now + 999_999
    let possible = 0...latest
    guard !possible.contains(status.modified) || !possible.contains(status.accessed) else { return false }
    try file.setTimes(
      accessed: possible.contains(status.accessed) ? min(status.accessed, now) : now,
      modified: possible.contains(status.modified) ? min(status.modified, now) : now
    )
    return true
  }

  /// Clears the flags that somebody has set, and says whether there were any.
  private func clearFlags(_ file: borrowing Descriptor) throws(SystemCallError) -> Bool {
    // Where they can't be read, none is known that could be cleared; one that forbids changes makes itself felt below.
    let flags = (try? file.flags()) ?? []
    let foreign = flags.intersection(.foreign).subtracting(inherited)
    guard !foreign.isEmpty else { return false }
    try file.setFlags(flags.subtracting(foreign))
    return true
  }

  /// Removes the attributes that somebody has set, and says whether there were any.
  ///
  /// Removed rather than quarantined: an attribute is no part of the data, and losing a capture for one would be the
  /// worse harm.
  private func removeAttributes(_ file: borrowing Descriptor) throws(SystemCallError) -> Bool {
    var found = false
    for name in try file.attributeNames() where Self.isForeign(name) {
      try file.removeAttribute(name)
      found = true
    }
    return found
  }

  /// Whether an attribute is not the system's own: the labels of its security modules and those of the file system stay.
  private static func isForeign(_ name: String) -> Bool {
    if name.hasPrefix("user.") || name.hasPrefix("trusted.") || name.hasPrefix("system.posix_acl_") {
      return true
    }
    guard name.hasPrefix("security.") else { return false }
    return !labels.contains { name == $0 || name.hasPrefix($0 + ".") } && !name.hasPrefix("security.SMACK64")
  }

  /// What SELinux, AppArmor and the kernel's integrity measurement write.
  private static let labels = ["security.selinux", "security.apparmor", "security.ima", "security.evm"]
}
