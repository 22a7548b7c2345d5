// SPDX-License-Identifier: Apache-2.0

/// An item of the session's root. Targets are relative to the root, without a leading slash.
package enum RootItem: Sendable, Hashable {
  /// A directory, by its target.
  case directory(String, mode: UInt32 = 0o755)
  /// A directory that only the extension can enter, and owns.
  case ownDirectory(String)
  /// A small file with the given contents.
  case file(String, contents: [UInt8], mode: UInt32 = 0o444)
  /// A symbolic link, by its target and its contents.
  case symbolicLink(String, to: String)
  /// A file or directory tree of the host, with its submounts. The target must exist already.
  case bind(source: String, target: String, MountAttributes)
  /// A directory of the host through a new overlayfs, so that its locks are independent of the host's. Its
  /// submounts are not shown. If overlayfs is unavailable, the item is a bind mount.
  case layer(source: String, target: String, MountAttributes)
  /// The layer base: a directory of the host that contains the sources of the given layers.
  ///
  /// The layers are taken from a single overlayfs of this directory. It is mounted over another directory of
  /// the host while the root is created, and is unmounted with the host's root, so a session sees only the
  /// layers. If this fails, each layer has a separate overlayfs. There must be no symbolic link and no mount
  /// between the directory and each layer.
  case layerBase(source: String, over: String, layers: [String])
  /// A directory that a broker has created, whose owner becomes the extension.
  case ownerChange(String)
  /// A new tmpfs.
  case scratch(String, Scratch)
  /// The processes of the session, with mount options (proc(5)).
  case processes(String, options: String)

  /// The attributes of a bind mount (mount_setattr(2)).
  package struct MountAttributes: OptionSet, Sendable, Hashable {
    /// The kernel's bits.
    package let rawValue: UInt64
    /// Creates attributes from the kernel's bits.
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Creates attributes from an array literal, without the generic initializer of the standard library,
    /// which looks up types at run time.
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

  /// The flags of a new file system (mount(2)).
  package struct ScratchFlags: OptionSet, Sendable, Hashable {
    /// The kernel's bits.
    package let rawValue: UInt64
    /// Creates flags from the kernel's bits.
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Creates flags from an array literal, as ``MountAttributes`` does.
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
  /// The empty directory that is the lowest layer of a ``layer(source:target:_:)``. It must exist already.
  package static let emptyDirectory = "sys"

  /// Whether the item is the layer base.
  package var isLayerBase: Bool {
    guard case .layerBase = self else { return false }
    return true
  }

  /// The absolute path of the item in the session, for messages.
  package var target: String { "/\(relativePath)" }

  /// Whether the item is a symbolic link.
  var isLink: Bool {
    guard case .symbolicLink = self else { return false }
    return true
  }

  /// The path of the item relative to the root.
  var relativePath: String {
    switch self {
    // A layer base has no path in the session.
    case .layerBase: ""
    case .directory(let place, _), .ownDirectory(let place), .ownerChange(let place), .file(let place, _, _),
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
