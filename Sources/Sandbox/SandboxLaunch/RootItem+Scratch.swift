// SPDX-License-Identifier: Apache-2.0

extension RootItem {
  /// A file system in memory: how much fits in, and whose it is (tmpfs(5)).
  package struct Scratch: Sendable, Hashable {
    /// The permissions of its root.
    package var mode: UInt32
    /// The most that can be in it, in bytes; nil: half of the machine's memory.
    package var bytes: Int?
    /// The most files that can be in it; nil: as many as the kernel allows by itself, zero: any number.
    package var files: Int?
    /// Whose its root is, in the user namespace in which it is mounted; nil: its maker's.
    package var owner: Owner?
    /// How it is mounted.
    package var flags: ScratchFlags

    /// Describes one.
    package init(
      mode: UInt32 = 0o700,
      bytes: Int? = nil,
      files: Int? = nil,
      owner: Owner? = nil,
      _ flags: ScratchFlags
    ) {
      self.mode = mode
      self.bytes = bytes
      self.files = files
      self.owner = owner
      self.flags = flags
    }

    /// A user and a group.
    package struct Owner: Sendable, Hashable {
      /// The user.
      package var user: UInt32
      /// The group.
      package var group: UInt32

      /// Names an owner.
      package init(user: UInt32, group: UInt32) {
        self.user = user
        self.group = group
      }
    }

    /// The same, without what it says of the extension's user, who is another one in each session of root.
    var withoutOwner: Scratch {
      var result = self
      result.owner = nil
      return result
    }

    /// The mount options.
    package var options: String {
      var text = "mode=\(String(mode, radix: 8))"
      if let bytes { text += ",size=\(bytes)" }
      if let files { text += ",nr_inodes=\(files)" }
      if let owner { text += ",uid=\(owner.user),gid=\(owner.group)" }
      return text
    }
  }
}
