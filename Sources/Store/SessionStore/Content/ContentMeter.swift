// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The space and number of entries that a content directory uses.
package struct ContentUsage: Hashable, Sendable {
  /// The reliability of a count.
  package enum Coverage: Hashable, Sendable {
    /// All entries were counted.
    case complete
    /// Counting stopped because the limit was exceeded.
    case limitExceeded
    /// Directories were moved during the count. The result is a lower bound.
    case changedDuringCount
  }

  /// The sum of the file sizes in bytes.
  package var apparentBytes: Int64 = 0
  /// The allocated space in bytes.
  package var allocatedBytes: Int64 = 0
  /// The number of entries of all types, without the content directory itself.
  package var entries: Int64 = 0
  /// The total length of all paths in bytes.
  package var pathBytes: Int64 = 0
  /// The number of entries that are not directories.
  package var files: Int64 = 0
  /// The reliability of the count.
  package var coverage: Coverage = .complete

  /// Creates an empty usage.
  package init() {}

  /// The bytes that count against a limit: the larger of file sizes and allocated space.
  package var bytes: Int64 { max(apparentBytes, allocatedBytes) }

  /// Returns the usage with the given number of bytes of unlinked files added.
  package func adding(_ unlinkedBytes: Int64) -> ContentUsage {
    var usage = self
    usage.apparentBytes = saturatingSum(usage.apparentBytes, unlinkedBytes)
    usage.allocatedBytes = saturatingSum(usage.allocatedBytes, unlinkedBytes)
    return usage
  }
}

/// Limits on the usage of a content directory.
package struct ContentLimit: Hashable, Sendable {
  /// The maximum of ``ContentUsage/bytes``.
  package var bytes: Int64
  /// The maximum number of files and directories.
  package var entries: Int64

  /// Creates limits. The default is unlimited.
  package init(bytes: Int64 = .max, entries: Int64 = .max) {
    self.bytes = bytes
    self.entries = entries
  }

  /// Whether the usage exceeds a limit.
  package func isExceeded(by usage: ContentUsage) -> Bool {
    usage.bytes > bytes || usage.entries > entries
  }
}

/// Measurement of directories that other processes may be changing.
package enum ContentMeter {
  /// Returns the usage of everything below a path. Symbolic links are not followed, and counting stops when a
  /// limit is exceeded.
  ///
  /// An extension can remove its own access to a directory and continue to write through open descriptors.
  /// Such directories are made accessible again, because a host that is not root could not read them.
  package static func measure(
    _ path: String,
    limit: ContentLimit = ContentLimit()
  ) throws(StoreError) -> ContentUsage {
    let top = try system { () throws(SystemCallError) in
      try OpenDirectory(OwnerAccess.openDirectory(path))
    }
    return try measure(top, limit: limit)
  }

  /// Returns the usage of everything below an open directory.
  static func measure(
    _ top: OpenDirectory,
    limit: ContentLimit = ContentLimit()
  ) throws(StoreError) -> ContentUsage {
    var usage = ContentUsage()
    // The extension can move directories during the walk. The others are still counted.
    var walk = TreeWalk(top, changes: .unlock, paths: .omitted)
    do {
      while let directory = try walk.next() {
        let (subdirectories, stopped) = try count(directory, into: &usage, limit: limit)
        if stopped { return usage }
        walk.descend(into: subdirectories)
      }
    } catch {
      guard case .changedDuringWalk = error else { throw error }
      usage.coverage = .changedDuringCount
    }
    if walk.skippedCount > 0 { usage.coverage = .changedDuringCount }
    return usage
  }

  /// Counts the entries of a directory.
  ///
  /// - Returns: The names of its subdirectories, and whether a limit was exceeded.
  private static func count(
    _ place: TreeWalk.Directory,
    into usage: inout ContentUsage,
    limit: ContentLimit
  ) throws(StoreError) -> (subdirectories: [[UInt8]], stopped: Bool) {
    let directory = place.open
    do {
      var subdirectories: [[UInt8]] = []
      // One entry beyond the limit is enough to detect that it is exceeded.
      let room = Int(clamping: saturatingSum(max(0, saturatingSum(limit.entries, -usage.entries)), 1))
      for name in try directory.descriptor.entryNames(atMost: room) {
        guard let status = try directory.descriptor.status(of: name) else { continue }
        usage.entries += 1
        // `PATH_MAX` limits every path; content with longer paths is not migrated.
        usage.pathBytes = saturatingSum(usage.pathBytes, Int64(min(place.length + name.count + 1, 4096)))
        usage.allocatedBytes = saturatingSum(usage.allocatedBytes, status.allocated)
        if status.kind == .directory {
          subdirectories.append(name)
        } else {
          usage.files += 1
          usage.apparentBytes = saturatingSum(usage.apparentBytes, status.size)
        }
        if limit.isExceeded(by: usage) {
          usage.coverage = .limitExceeded
          return (subdirectories, true)
        }
      }
      return (subdirectories, false)
    } catch  where error.errno == .noSuchFile || error.errno == .permissionDenied {
      // The directory was removed, or made inaccessible, after it was opened.
      usage.coverage = .changedDuringCount
      return ([], false)
    } catch { throw .system(error) }
  }
}

/// Returns the sum of two sizes, saturated at `Int64.max`. A few sparse files suffice to exceed 64 bits.
package func saturatingSum(_ one: Int64, _ other: Int64) -> Int64 {
  let (sum, overflow) = one.addingReportingOverflow(other)
  return overflow ? .max : sum
}
