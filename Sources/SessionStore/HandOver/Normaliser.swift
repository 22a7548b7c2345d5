// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Makes files ordinary without touching their data: owner, mode, attributes, times.
struct Normaliser {
  private let owner: UInt32
  private let group: UInt32
  private let now: Int64

  /// Everything gets the owner of the state root.
  init(for root: StateRoot) throws(StoreError) {
    let status = try system { () throws(SystemCallError) in
      try FileSystem.open(root.path, [.directory]).status()
    }
    owner = status.owner
    group = status.group
    now = WallClock.milliseconds * 1_000_000
  }

  /// Makes an open file ordinary and says what was worth noting; nil if this user may not.
  ///
  /// Attributes go first, because an access list decides what the mode means; then the owner, because a change of
  /// owner changes the mode; the mode last.
  func normalise(
    _ file: borrowing Descriptor,
    _ kind: FileStatus.Kind
  ) throws(SystemCallError) -> [Normalisation]? {
    do {
      let status = try file.status()
      var changes: [Normalisation] = []
      if try removeAttributes(file) { changes.append(.attributesRemoved) }
      if status.owner != owner || status.group != group { try file.setOwner(owner, group: group) }
      if status.permissions & 0o7000 != 0 { changes.append(.specialBitsCleared) }
      let mode: UInt32 = kind == .directory ? 0o700 : 0o600
      if status.permissions != mode { try file.setPermissions(mode) }
      // A minute for clocks that were set back between the session and now.
      if status.modified > now + 60_000_000_000 {
        try file.setTimesToNow()
        changes.append(.timeSetToNow)
      }
      return changes
    } catch  where error.errno == .notPermitted || error.errno == .permissionDenied {
      return nil
    }
  }

  /// Removes the attributes that an extension can set, and says whether there were any.
  ///
  /// Removed rather than quarantined: an attribute is no part of the data, and losing a capture for one would be the
  /// worse harm. What is left belongs to the system: labels of its security modules, `trusted.*`, those of the file
  /// system.
  private func removeAttributes(_ file: borrowing Descriptor) throws(SystemCallError) -> Bool {
    var found = false
    for name in try file.attributeNames() where Self.isForeign(name) {
      try file.removeAttribute(name)
      found = true
    }
    return found
  }

  private static func isForeign(_ name: String) -> Bool {
    name.hasPrefix("user.") || name == "security.capability" || name.hasPrefix("system.posix_acl_")
  }
}
