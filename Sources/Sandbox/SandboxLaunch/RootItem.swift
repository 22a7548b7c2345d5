// SPDX-License-Identifier: Apache-2.0

/// One thing in the session's root. Targets are relative to the root, without a leading slash.
package enum RootItem: Sendable, Hashable {
  /// A directory.
  case directory(String, mode: UInt32 = 0o755)
  /// A directory that belongs to the extension and that nobody else can enter.
  case ownDirectory(String)
  /// A small file with contents of its own.
  case file(String, contents: [UInt8], mode: UInt32 = 0o444)
  /// A symbolic link.
  case symbolicLink(String, to: String)
  /// A file or tree of the host, with what is mounted below it. Where it appears must have been made before.
  case bind(source: String, target: String, MountAttributes)
  /// A directory of the host, shown through a file system of the session's own (overlayfs), so that locks inside are not
  /// the host's; nothing that is mounted below it is shown. Where there is no overlayfs it is a bind.
  case layer(source: String, target: String, MountAttributes)
  /// A directory of the host in which those of the layers lie that are named. They are taken from one file system of the
  /// session's own that holds it, which stands over another directory of the host while the root is made, and goes with
  /// the host's root: a session sees nothing of it but them. Where that cannot be, each of them has a file system of its
  /// own. Between the directory and each of them is no link and no mount.
  case ground(source: String, over: String, layers: [String])
  /// A directory that a broker has made for whoever the extension will be, given to it.
  case given(String)
  /// A file system of its own in memory.
  case scratch(String, Scratch)
  /// The processes of the session, with mount options (proc(5)).
  case processes(String, options: String)

  /// Attributes of a bind mount (mount_setattr(2)).
  package struct MountAttributes: OptionSet, Sendable, Hashable {
    /// The kernel's bits.
    package let rawValue: UInt64
    /// Wraps the kernel's bits.
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Joins the attributes of a literal, without the types that the generic one of the standard library needs.
    package init(arrayLiteral attributes: MountAttributes...) {
      self.init(rawValue: attributes.reduce(0) { $0 | $1.rawValue })
    }

    /// The corresponding attribute is `MOUNT_ATTR_RDONLY`.
    package static let readOnly = MountAttributes(rawValue: 0x1)
    /// The corresponding attribute is `MOUNT_ATTR_NOSUID`.
    package static let noSetUserID = MountAttributes(rawValue: 0x2)
    /// The corresponding attribute is `MOUNT_ATTR_NODEV`.
    package static let noDevices = MountAttributes(rawValue: 0x4)
    /// The corresponding attribute is `MOUNT_ATTR_NOEXEC`.
    package static let noExecution = MountAttributes(rawValue: 0x8)
    /// The corresponding attribute is `MOUNT_ATTR_NOSYMFOLLOW`.
    package static let noSymbolicLinks = MountAttributes(rawValue: 0x20_0000)
  }

  /// Flags of a new file system (mount(2)).
  package struct ScratchFlags: OptionSet, Sendable, Hashable {
    /// The kernel's bits.
    package let rawValue: UInt64
    /// Wraps the kernel's bits.
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Joins the flags of a literal, as ``MountAttributes`` does.
    package init(arrayLiteral flags: ScratchFlags...) {
      self.init(rawValue: flags.reduce(0) { $0 | $1.rawValue })
    }

    /// The corresponding flag is `MS_RDONLY`.
    static let readOnly = ScratchFlags(rawValue: 1)
    /// The corresponding flag is `MS_NOSUID`.
    package static let noSetUserID = ScratchFlags(rawValue: 2)
    /// The corresponding flag is `MS_NODEV`.
    package static let noDevices = ScratchFlags(rawValue: 4)
    /// The corresponding flag is `MS_NOEXEC`.
    package static let noExecution = ScratchFlags(rawValue: 8)
  }
}

extension RootItem {
  /// The empty directory that a ``layer(source:target:_:)`` is laid under; it must have been made before.
  package static let emptyDirectory = "sys"

  /// Whether the item is what layers are taken from.
  package var isGround: Bool {
    guard case .ground = self else { return false }
    return true
  }

  /// The path that the item has inside, for messages.
  package var target: String { "/\(place)" }

  /// Whether the item is a name for another one.
  var isLink: Bool {
    guard case .symbolicLink = self else { return false }
    return true
  }

  /// The path that the item has inside, relative to the root.
  var place: String {
    switch self {
    // It has none.
    case .ground: ""
    case .directory(let place, _), .ownDirectory(let place), .given(let place), .file(let place, _, _),
      .symbolicLink(let place, _), .bind(_, let place, _), .layer(_, let place, _), .scratch(let place, _),
      .processes(let place, _):
      place
    }
  }
}

extension RootItem {
  /// Whether the item shows the session's processes.
  var showsProcesses: Bool {
    guard case .processes = self else { return false }
    return true
  }
}
