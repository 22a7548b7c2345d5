// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Overwrites what files hold before they are deleted.
enum Shredder {
  /// What was overwritten.
  struct Result: Hashable {
    /// How many files.
    var files: Int64 = 0
    /// How many bytes.
    var bytes: Int64 = 0
    /// How many files were not: others have names for them, or this user may not.
    var left: Int64 = 0
  }

  /// Overwrites every regular file with one name below a directory; nothing else is opened.
  static func shred(_ path: String) throws(StoreError) -> Result {
    let top = try system { () throws(SystemCallError) in
      try OpenDirectory(Accessible.openDirectory(path))
    }
    var result = Result()
    var walk = TreeWalk(top, changes: .openUp, paths: .forgotten)
    while let directory = try walk.next() {
      var inside: [[UInt8]] = []
      let names = try system { () throws(SystemCallError) in try directory.open.descriptor.entryNames() }
      for name in names {
        guard let status = try? directory.open.descriptor.status(of: name) else { continue }
        switch status.kind {
        case .directory: inside.append(name)
        case .regular where status.links == 1: overwrite(name, status, in: directory.open, &result)
        case .regular: result.left += 1
        default: continue
        }
      }
      walk.descend(into: inside)
    }
    return result
  }

  private static func overwrite(
    _ name: [UInt8],
    _ status: FileStatus,
    in directory: OpenDirectory,
    _ result: inout Result
  ) {
    do throws(SystemCallError) {
      _ = try Accessible.makeAccessible(name, status, in: directory)
      let bytes = try directory.descriptor.openEntry(name, [.readWrite, .nonBlocking]).overwriteData()
      result.files += 1
      result.bytes = saturatingSum(result.bytes, bytes)
    } catch { result.left += 1 }
  }
}
