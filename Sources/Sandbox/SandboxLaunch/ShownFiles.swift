// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

/// The identities of the host's files that a root shows.
package struct ShownFiles: Hashable, Sendable {
  /// The identity of the file at a path.
  private struct File: Hashable {
    /// The offset of the path in ``text``.
    var path: Int
    var device: UInt64 = 0
    var inode: UInt64 = 0

    /// Returns whether the path still leads to this file.
    func isCurrent(in text: UnsafePointer<CChar>) -> Bool {
      var now = File(path: path)
      return darkroom_identify(text + path, &now.device, &now.inode) == 0 && now == self
    }
  }

  /// The paths as zero-terminated strings.
  private let text: [CChar]
  private let files: [File]

  /// Reads the identities of the files that a root shows, or returns `nil` if one does not exist.
  package init?(_ root: [RootItem]) {
    var (text, files): ([CChar], [File]) = ([], [])
    for path in Self.paths(root) {
      var file = File(path: text.count)
      guard darkroom_identify(path, &file.device, &file.inode) == 0 else { return nil }
      text += path.utf8CString
      files.append(file)
    }
    (self.text, self.files) = (text, files)
  }

  /// Whether all paths still lead to the same files.
  package var isCurrent: Bool {
    text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return true }
      return files.allSatisfy { $0.isCurrent(in: start) }
    }
  }

  /// Returns the paths of the host that a root shows.
  package static func paths(_ root: [RootItem]) -> [String] {
    root.compactMap { item in
      switch item {
      case .bind(let path, _, _), .layer(let path, _, _): path
      default: nil
      }
    }
  }
}
