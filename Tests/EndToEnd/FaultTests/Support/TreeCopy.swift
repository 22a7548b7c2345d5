// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives

/// Copies a directory tree in this process, because starting cp(1) takes longer than copying a small state
/// root.
enum TreeCopy {
  /// The error for a file of an unsupported kind.
  struct UnsupportedFile: Error, CustomStringConvertible {
    /// The path and the kind of the file.
    let description: String
  }

  /// Copies directories and regular files with their permissions, owners and times, and symbolic links with their targets.
  static func make(of source: String, at target: String) throws {
    guard let status = try FileSystem.status(source) else {
      throw UnsupportedFile(description: "\(source) does not exist")
    }
    switch status.kind {
    case .directory:
      try FileSystem.makeDirectory(target)
      for name in try FileSystem.names(in: source) {
        try make(of: "\(source)/\(name)", at: "\(target)/\(name)")
      }
      try setAttributes(of: FileSystem.open(target, [.read, .directory]), to: status)
    case .regular where status.links == 1:
      try FileSystem.copyFile(source, to: target, mode: status.permissions)
      try setAttributes(of: FileSystem.open(target, .read), to: status)
    case .symbolicLink: try FileSystem.makeSymbolicLink(target, to: FileSystem.linkTarget(source))
    default:
      let kind = "\(status.kind.rawValue) with \(status.links) hard links"
      throw UnsupportedFile(description: "\(source) is not copied: it is a \(kind)")
    }
  }

  private static func setAttributes(of copy: consuming Descriptor, to status: FileStatus) throws {
    try copy.setOwner(status.owner, group: status.group)
    try copy.setPermissions(status.permissions)
    try copy.setTimes(accessed: status.accessed, modified: status.modified)
  }
}
