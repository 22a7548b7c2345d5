// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The verified content that may be delivered to the app.
struct ContentInventory {
  /// The regular files.
  var files: [SessionRecord.File] = []
  /// The fingerprints of ``files`` at the time of verification, in the same order.
  var fingerprints: [Fingerprint] = []
  /// The difference between size and allocated bytes of each of ``files``, in the same order.
  var holes: [Int64] = []
  /// The number of directories, including the content directory.
  var directories = 0
  /// The changes that sanitized the content.
  var sanitized: [SessionRecord.Sanitized] = []

  /// A file that may be delivered to the app.
  struct Entry: Sendable {
    /// The entry of the file in the session record.
    let file: SessionRecord.File
    /// The fingerprint at the time of verification.
    let fingerprint: Fingerprint
    /// The difference between size and allocated bytes.
    let holes: Int64

    /// Creates the entry of a sanitized file from its status.
    init(_ path: EntryPath, _ status: FileStatus) {
      // RFC 3339 has no years before 0, and no content was captured before 1970.
      let modified = max(0, status.modified / 1_000_000)
      file = SessionRecord.File(path: path.text, size: status.size, modified: modified)
      fingerprint = Fingerprint(status)
      holes = max(0, status.size - status.allocated)
    }
  }

  /// A fingerprint that detects changes of a file: its inode number and its change time, which no process can
  /// set.
  struct Fingerprint: Equatable, Sendable {
    private let inode: UInt64
    private let changed: Int64

    /// Creates the fingerprint of a file.
    init(_ status: FileStatus) {
      inode = status.inode
      changed = status.changed
    }
  }

  /// Adds a file.
  mutating func add(_ entry: Entry) {
    files.append(entry.file)
    fingerprints.append(entry.fingerprint)
    holes.append(entry.holes)
  }

  /// Removes files that may not be delivered after all.
  mutating func remove(_ indices: Set<Int>) {
    guard !indices.isEmpty else { return }
    let kept = files.indices.filter { !indices.contains($0) }
    (files, fingerprints, holes) = (
      kept.map { files[$0] }, kept.map { fingerprints[$0] }, kept.map { holes[$0] }
    )
  }

  /// The sum of the file sizes in bytes: the size of a copy without holes.
  var bytes: Int64 { files.reduce(0) { saturatingSum($0, $1.size) } }

  /// The minimum difference between size and allocated bytes that counts as holes.
  ///
  /// Compressing file systems, and those that store short files in the inode, report fewer blocks for files
  /// without holes.
  private static let minimumHoleBytes: Int64 = 1 << 20

  /// Returns the indices of sparse files whose removal reduces a copy to at most `most` bytes, largest holes
  /// first.
  ///
  /// If removing all sparse files does not suffice, the indices of all of them are returned.
  func sparseFiles(beyond most: Int64) -> ArraySlice<Int> {
    guard bytes > most else { return [] }
    // The sum of a few sparse files can exceed 64 bits.
    var total = files.reduce(Int128(0)) { $0 + Int128($1.size) }
    let sparse = files.indices.filter { holes[$0] >= Self.minimumHoleBytes }
      .sorted { (holes[$0], files[$1].path) > (holes[$1], files[$0].path) }
    return sparse.prefix { index in
      guard total > Int128(most) else { return false }
      total -= Int128(files[index].size)
      return true
    }
  }
}
