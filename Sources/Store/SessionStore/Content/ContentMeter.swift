// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// How much a content directory holds.
package struct ContentUsage: Hashable, Sendable {
  /// How far the count can be trusted.
  package enum Coverage: Hashable, Sendable {
    /// Everything was counted.
    case everything
    /// The limit was passed, and counting stopped.
    case limitPassed
    /// Directories were moved meanwhile; there is at least this much.
    case changedMeanwhile
  }

  /// The sum of the files' lengths.
  package var apparentBytes: Int64 = 0
  /// The bytes that are really taken on the file system.
  package var allocatedBytes: Int64 = 0
  /// Files, directories and everything else, without the content directory itself.
  package var entries: Int64 = 0
  /// The bytes of all paths together.
  package var pathBytes: Int64 = 0
  /// Everything that is no directory.
  package var files: Int64 = 0
  /// How far the count can be trusted.
  package var coverage: Coverage = .everything

  /// Counts nothing yet.
  package init() {}

  /// The bytes that a limit is for: of the files' lengths and the space that they take whichever is more.
  package var bytes: Int64 { max(apparentBytes, allocatedBytes) }

  /// With so many more bytes, which belong to no name.
  package func adding(_ nameless: Int64) -> ContentUsage {
    var usage = self
    usage.apparentBytes = saturatingSum(usage.apparentBytes, nameless)
    usage.allocatedBytes = saturatingSum(usage.allocatedBytes, nameless)
    return usage
  }
}

/// How much a content directory may hold.
package struct ContentLimit: Hashable, Sendable {
  /// The most bytes, of whichever is more: the files' lengths or the space that they take.
  package var bytes: Int64
  /// The most files and directories.
  package var entries: Int64

  /// Sets limits.
  package init(bytes: Int64 = .max, entries: Int64 = .max) {
    self.bytes = bytes
    self.entries = entries
  }

  /// Whether there is more than that.
  package func isPassed(by usage: ContentUsage) -> Bool {
    usage.bytes > bytes || usage.entries > entries
  }
}

/// Counts what is in a directory that others may be changing.
package enum ContentMeter {
  /// Counts everything below `path`, following nothing; stops as soon as the limit is passed.
  ///
  /// An extension can lock its directories against a host that is not root, and go on writing to what it has open in
  /// them: they are unlocked.
  package static func measure(
    _ path: String,
    limit: ContentLimit = ContentLimit()
  ) throws(StoreError) -> ContentUsage {
    let top = try system { () throws(SystemCallError) in
      try OpenDirectory(Accessible.openDirectory(path))
    }
    return try measure(top, limit: limit)
  }

  /// Counts everything below an open directory.
  static func measure(
    _ top: OpenDirectory,
    limit: ContentLimit = ContentLimit()
  ) throws(StoreError) -> ContentUsage {
    var usage = ContentUsage()
    // An extension can move its directories about: count the others.
    var walk = TreeWalk(top, changes: .openUp, paths: .forgotten)
    do {
      while let directory = try walk.next() {
        let (inside, stopped) = try count(directory, into: &usage, limit: limit)
        if stopped { return usage }
        walk.descend(into: inside)
      }
    } catch {
      guard case .changedDuringWalk = error else { throw error }
      usage.coverage = .changedMeanwhile
    }
    if walk.leftOut > 0 { usage.coverage = .changedMeanwhile }
    return usage
  }

  /// Counts the entries of one directory and gives the directories among them.
  private static func count(
    _ place: TreeWalk.Directory,
    into usage: inout ContentUsage,
    limit: ContentLimit
  ) throws(StoreError) -> (inside: [[UInt8]], stopped: Bool) {
    let directory = place.open
    do {
      var inside: [[UInt8]] = []
      // One more than allowed says it all.
      let room = Int(clamping: saturatingSum(max(0, saturatingSum(limit.entries, -usage.entries)), 1))
      for name in try directory.descriptor.entryNames(atMost: room) {
        guard let status = try directory.descriptor.status(of: name) else { continue }
        usage.entries += 1
        // No path is longer than the kernel takes in one piece; what has a longer one is not handed over.
        usage.pathBytes = saturatingSum(usage.pathBytes, Int64(min(place.length + name.count + 1, 4096)))
        usage.allocatedBytes = saturatingSum(usage.allocatedBytes, status.allocated)
        if status.kind == .directory {
          inside.append(name)
        } else {
          usage.files += 1
          usage.apparentBytes = saturatingSum(usage.apparentBytes, status.size)
        }
        if limit.isPassed(by: usage) {
          usage.coverage = .limitPassed
          return (inside, true)
        }
      }
      return (inside, false)
    } catch  where error.errno == .noSuchFile || error.errno == .permissionDenied {
      // The directory itself was removed, or locked, after it was opened.
      usage.coverage = .changedMeanwhile
      return ([], false)
    } catch { throw .system(error) }
  }
}

/// The sum of two lengths, or the largest number: a few sparse files are longer than any number can say.
package func saturatingSum(_ one: Int64, _ other: Int64) -> Int64 {
  let (sum, overflow) = one.addingReportingOverflow(other)
  return overflow ? .max : sum
}
