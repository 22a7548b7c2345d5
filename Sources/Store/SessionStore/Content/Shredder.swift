// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Overwriting of file data before deletion.
enum Shredder {
  /// The totals of an overwriting operation.
  struct Result: Hashable {
    /// The number of overwritten files.
    var files: Int64 = 0
    /// The number of overwritten bytes.
    var bytes: Int64 = 0
    /// The number of files that were not overwritten, because of further hard links or missing permissions.
    var skipped: Int64 = 0
  }

  /// Overwrites every regular file with one link below a directory. Other files are not opened.
  static func shred(_ path: String) throws(StoreError) -> Result {
    let top = try system { () throws(SystemCallError) in
      try OpenDirectory(OwnerAccess.openDirectory(path))
    }
    var result = Result()
    var walk = TreeWalk(top, changes: .unlock, paths: .omitted)
    while let directory = try walk.next() {
      var subdirectories: [[UInt8]] = []
      let names = try system { () throws(SystemCallError) in try directory.open.descriptor.entryNames() }
      for name in names {
        guard let status = try? directory.open.descriptor.status(of: name) else { continue }
        switch status.kind {
        case .directory: subdirectories.append(name)
        case .regular where status.links == 1: overwrite(name, status, in: directory.open, &result)
        case .regular: result.skipped += 1
        default: continue
        }
      }
      walk.descend(into: subdirectories)
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
      _ = try OwnerAccess.makeAccessible(name, status, in: directory)
      let bytes = try directory.descriptor.openEntry(name, [.readWrite, .nonBlocking]).overwriteData()
      result.files += 1
      result.bytes = saturatingSum(result.bytes, bytes)
    } catch { result.skipped += 1 }
  }
}
