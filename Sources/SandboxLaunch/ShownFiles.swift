// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

/// Which files of the host the paths of a root lead to.
package struct ShownFiles: Hashable, Sendable {
  /// A file.
  private struct File: Hashable {
    var device: UInt64 = 0
    var inode: UInt64 = 0
  }

  private let files: [File]

  /// Looks where the paths of a root lead; nil if one is not there.
  package init?(_ root: [RootItem]) {
    var files: [File] = []
    for path in Self.paths(root) {
      var file = File()
      guard darkroom_identify(path, &file.device, &file.inode) == 0 else { return nil }
      files.append(file)
    }
    self.files = files
  }

  /// The paths that a root shows of the host.
  package static func paths(_ root: [RootItem]) -> [String] {
    root.compactMap { item in
      switch item {
      case .bind(let path, _, _), .layer(let path, _, _): path
      default: nil
      }
    }
  }
}
