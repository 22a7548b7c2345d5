// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What verification found that may reach the app.
struct ContentInventory {
  /// The regular files.
  var files: [SessionRecord.File] = []
  /// What each of ``files`` was when it was verified, in the same order.
  var marks: [Mark] = []
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

    /// Lists a file as the kernel knows it after it was made ordinary.
    init(_ path: EntryPath, _ status: FileStatus) {
      // RFC 3339 has no years before 0, and nothing was captured before 1970.
      let modified = max(0, status.modified / 1_000_000)
      file = SessionRecord.File(path: path.text, size: status.size, modified: modified)
      mark = Mark(status)
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
  }

  /// Leaves out files that may not reach the app after all.
  mutating func leaveOut(_ indices: Set<Int>) {
    guard !indices.isEmpty else { return }
    files = files.indices.filter { !indices.contains($0) }.map { files[$0] }
    marks = marks.indices.filter { !indices.contains($0) }.map { marks[$0] }
  }
}
