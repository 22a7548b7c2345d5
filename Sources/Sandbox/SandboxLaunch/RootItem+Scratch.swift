// SPDX-License-Identifier: Apache-2.0

extension RootItem {
  /// A tmpfs(5) with its size and owner.
  package struct Scratch: Sendable, Hashable {
    /// The permissions of its root directory.
    package var mode: UInt32
    /// The maximum size in bytes, or `nil` for half of the machine's memory.
    package var bytes: Int?
    /// The maximum number of files, `nil` for the kernel's default, or zero for no limit.
    package var files: Int?
    /// The owner of its root directory, in the user namespace of the mount, or `nil` for its creator.
    package var owner: Owner?
    /// The mount flags.
    package var flags: ScratchFlags

    /// Creates a description of a tmpfs.
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
      /// The UID.
      package var user: UInt32
      /// The GID.
      package var group: UInt32

      /// Creates an owner.
      package init(user: UInt32, group: UInt32) {
        self.user = user
        self.group = group
      }
    }

    /// The description without the extension's user, which differs in each session of root.
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
