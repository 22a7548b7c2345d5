// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What verification found that may reach the app.
struct ContentInventory {
  /// The regular files.
  var files: [SessionRecord.File] = []
  /// What each of ``files`` was when it was verified, in the same order.
  var marks: [Mark] = []
  /// The number of bytes by which each of ``files`` is longer than its blocks, in the same order.
  var holes: [Int64] = []
  /// The number of directories, with the content directory.
  var directories = 0
  /// What was made ordinary.
  var normalised: [SessionRecord.Normalised] = []

  /// A file that may reach the app.
  struct Entry: Sendable {
    /// As the record has it.
    let file: SessionRecord.File
    /// What it was.
    let mark: Mark
    /// The number of bytes by which it is longer than its blocks.
    let holes: Int64

    /// Lists a file as the kernel knows it after it was made ordinary.
    init(_ path: EntryPath, _ status: FileStatus) {
      // RFC 3339 has no years before 0, and nothing was captured before 1970.
      let modified = max(0, status.modified / 1_000_000)
      file = SessionRecord.File(path: path.text, size: status.size, modified: modified)
      mark = Mark(status)
      holes = max(0, status.size - status.allocated)
    }
  }

  /// What shows that a file is still what it was: nobody can set the time of its last change.
  struct Mark: Equatable, Sendable {
    private let inode: UInt64
    private let changed: Int64

    /// Marks a file.
    init(_ status: FileStatus) {
      inode = status.inode
      changed = status.changed
    }
  }

  /// Lists a file.
  mutating func add(_ entry: Entry) {
    files.append(entry.file)
    marks.append(entry.mark)
    holes.append(entry.holes)
  }

  /// Leaves out files that may not reach the app after all.
  mutating func leaveOut(_ indices: Set<Int>) {
    guard !indices.isEmpty else { return }
    let kept = files.indices.filter { !indices.contains($0) }
    (files, marks, holes) = (kept.map { files[$0] }, kept.map { marks[$0] }, kept.map { holes[$0] })
  }

  /// The sum of the files' lengths: the size of a copy without holes.
  var bytes: Int64 { files.reduce(0) { saturatingSum($0, $1.size) } }

  /// The number of bytes from which on a difference between length and blocks is taken for holes. Compressing file systems and
  /// those that keep short files in the inode report fewer blocks for files without holes.
  private static let leastHoles: Int64 = 1 << 20

  /// Returns the indices of the sparse files without which a copy needs at most `most` bytes, those with the largest holes
  /// first; all of them if that does not suffice.
  func sparseFiles(beyond most: Int64) -> ArraySlice<Int> {
    guard bytes > most else { return [] }
    // A few sparse files are longer than 64 bits can say.
    var total = files.reduce(Int128(0)) { $0 + Int128($1.size) }
    let sparse = files.indices.filter { holes[$0] >= Self.leastHoles }
      .sorted { (holes[$0], files[$1].path) > (holes[$1], files[$0].path) }
    return sparse.prefix { index in
      guard total > Int128(most) else { return false }
      total -= Int128(files[index].size)
      return true
    }
  }
}
