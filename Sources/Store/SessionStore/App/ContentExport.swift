// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A copy operation that exports a content directory from the store.
struct ContentExport {
  private let source: String
  private let target: String
  private let temporary: String

  /// Creates an export of `source` to `target`, which must not exist.
  init(of source: String, to target: String) {
    self.source = source
    self.target = target
    // The temporary directory is a sibling of the target, so that one rename publishes the finished copy.
    temporary = "\(target).partial.\(Randomness.hexadecimal(bytes: 6))"
  }

  /// Copies the content and returns the path of the copy.
  func run() throws(StoreError) -> String {
    guard try system({ () throws(SystemCallError) in try FileSystem.status(target) }) == nil else {
      throw .alreadyExists(path: target)
    }
    do {
      try copyTree()
      try FileSystem.rename(temporary, to: target, .noReplace)
      return target
    } catch {
      try? FileSystem.removeTree(temporary)
      switch error {
      case let error as StoreError: throw error
      case let error as SystemCallError where error.errno == .fileExists: throw .alreadyExists(path: target)
      case let error as SystemCallError: throw .system(error)
      default: throw .alreadyExists(path: target)
      }
    }
  }

  private func copyTree() throws(StoreError) {
    let top = try system { () throws(SystemCallError) in
      try FileSystem.makeDirectories(FileSystem.directoryName(temporary))
      try FileSystem.makeDirectory(temporary)
      return try OpenDirectory(FileSystem.open(source, [.directory, .noFollow]))
    }
    let copy = try system { () throws(SystemCallError) in try FileSystem.open(temporary, [.directory]) }
    var walk = TreeWalk(top)
    while let directory = try walk.next() {
      var subdirectories: [[UInt8]] = []
      try system { () throws(SystemCallError) in
        for name in try directory.open.descriptor.entryNames() {
          guard let status = try directory.open.descriptor.status(of: name) else { continue }
          try copyEntry(name, status, of: directory, to: copy)
          if status.kind == .directory { subdirectories.append(name) }
        }
      }
      walk.descend(into: subdirectories)
    }
  }

  /// Copies a regular file or a directory. An app may have added entries of other types; these are not
  /// copied.
  private func copyEntry(
    _ name: [UInt8],
    _ status: FileStatus,
    of directory: TreeWalk.Directory,
    to copy: borrowing Descriptor
  ) throws(SystemCallError) {
    let path = directory.path.appending(name).text
    let raw = copy.rawValue
    switch status.kind {
    case .directory: try FileSystem.makeDirectory(path, in: .directory(raw))
    case .regular:
      let from = try directory.open.descriptor.openEntry(name, [.nonBlocking])
      let to = try FileSystem.open(path, in: .directory(raw), [.write, .create, .exclusive, .noFollow])
      try from.copyAll(to: to)
    default: break
    }
  }
}
