// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry

/// Which files of the host the paths of a root lead to.
package struct ShownFiles: Hashable, Sendable {
  /// A file, under a path.
  private struct File: Hashable {
    /// Where the path begins in ``text``.
    var path: Int
    var device: UInt64 = 0
    var inode: UInt64 = 0

    /// Whether the path leads to this file still.
    func isCurrent(in text: UnsafePointer<CChar>) -> Bool {
      var now = File(path: path)
      return darkroom_identify(text + path, &now.device, &now.inode) == 0 && now == self
    }
  }

  /// The paths as the kernel wants them, each with a zero at its end.
  private let text: [CChar]
  private let files: [File]

  /// Looks where the paths of a root lead; nil if one is not there.
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

  /// Whether the paths lead to the same files now.
  package var isCurrent: Bool {
    text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return true }
      return files.allSatisfy { $0.isCurrent(in: start) }
    }
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
