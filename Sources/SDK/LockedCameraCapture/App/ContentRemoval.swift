// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
internal import JSONText
package import LinuxPrimitives

/// The removal of one session's content from an app's container. The process may be killed between any two
/// steps.
///
/// | killed after | remaining state |
/// |---|---|
/// | `moveToTrash` | the content in the trash, invisible to consumers; the host empties the trash during recovery |
/// | `delete` | a record without the entry for the removal |
///
/// For large content, the entry is written before the content is deleted.
package struct ContentRemoval: Sendable {
  private let container: AppContainer
  private let name: String
  private let usage: TreeUsage
  private var trashed: TrashedContent?

  /// The location of the content while it is being deleted.
  private struct TrashedContent {
    /// The directory to which the content was moved.
    let directory: String
    /// The name of the content in that directory.
    let name: String
  }

  /// Creates the removal of the content at `url`, or returns `nil` if that is not a session of this
  /// container.
  ///
  /// The last component must be the name of a session and refer to a directory, not to a symbolic link. The
  /// parent must be the content directory of the container, under any path without `..`.
  package init?(_ container: AppContainer, _ url: URL) throws(SystemCallError) {
    guard let name = try Self.name(container, url),
      try ContentDirectory(path: container.contentDirectory).contains(name)
    else { return nil }
    self.container = container
    self.name = name
    usage = TreeUsage("\(container.contentDirectory)/\(name)")
  }

  /// Returns whether a URL has the form of a session of this container, but no file exists there.
  static func isMissingSession(of container: AppContainer, _ url: URL) throws(SystemCallError) -> Bool {
    guard let name = try name(container, url) else { return false }
    return try FileSystem.status("\(container.contentDirectory)/\(name)") == nil
  }

  /// Returns the name of the session in this container that a URL refers to, or `nil` if it refers to none.
  private static func name(_ container: AppContainer, _ url: URL) throws(SystemCallError) -> String? {
    guard url.isFileURL else { return nil }
    let path = url.path(percentEncoded: false)
    let parts = path.split(separator: "/").map(String.init)
    guard let name = parts.last, SessionName.uuid(name) != nil, !parts.contains("..") else { return nil }
    let parent = path.hasPrefix("/") ? "/" + parts.dropLast().joined(separator: "/") : ""
    return try isSameDirectory(parent, container.contentDirectory) ? name : nil
  }

  /// Returns whether two paths refer to the same directory.
  private static func isSameDirectory(_ path: String, _ other: String) throws(SystemCallError) -> Bool {
    do {
      return try FileSystem.realPath(path) == FileSystem.realPath(other)
    } catch  where [.noSuchFile, .notADirectory, .tooManyLinks].contains(error.errno) {
      return false
    }
  }

  /// Performs all steps. If several callers do so at the same time, one removes the content and the others
  /// find it gone.
  ///
  /// Large content is deleted on a background thread with the lowest priority. If this process exits before
  /// that is done, the host deletes the rest.
  ///
  /// - Returns: Whether this call has removed the content.
  /// - Throws: `SystemCallError` if a system call fails.
  @discardableResult
  package consuming func run() throws(SystemCallError) -> Bool {
    var removal = self
    guard try removal.moveToTrash() else { return false }
    guard removal.usage.files > Self.synchronousFileLimit, removal.isInTrash else {
      try removal.delete()
      try removal.recordRemoval()
      return true
    }
    try removal.recordRemoval()
    let rest = removal
    _ = try PlainThread.start(name: "sweep") {
      CurrentProcess.useIdlePriority()
      try? rest.delete()
    }
    return true
  }

  /// The maximum number of files that are deleted while the caller waits.
  private static let synchronousFileLimit = 256

  /// Whether the content is in the trash, where the host deletes what this process leaves.
  private var isInTrash: Bool { trashed?.directory == container.trashDirectory }

  /// Moves the content out of the content directory with one rename(2), durably.
  ///
  /// - Returns: `false` if another process has already moved it.
  package mutating func moveToTrash() throws(SystemCallError) -> Bool {
    // The host uses the same prefix for removed content, and deletes what this process leaves.
    let newName = "removed-\(Randomness.hexadecimal(bytes: 12))"
    let old = "\(container.contentDirectory)/\(name)"
    for directory in [container.trashDirectory, container.path] {
      // A container outside a state root has no trash: the content then gets a hidden name in the container.
      let name = directory == container.path ? ".\(newName)" : newName
      do {
        try FileSystem.rename(old, to: "\(directory)/\(name)", .noReplace)
      } catch  where error.errno == .noSuchFile || error.errno == .crossDevice {
        // The trash does not exist or is on another file system, or the content was removed.
        if try FileSystem.status(old) == nil { return false }
        continue
      }
      trashed = TrashedContent(directory: directory, name: name)
      // Otherwise a power failure could restore the content, which would then be imported twice.
      try FileSystem.synchronizeDirectory(container.contentDirectory)
      return true
    }
    throw SystemCallError("renameat2", path: old, errno: .noSuchFile)
  }

  /// Deletes the content that was moved.
  package func delete() throws(SystemCallError) {
    guard let trashed else { return }
    try FileSystem.removeTree("\(trashed.directory)/\(trashed.name)")
  }

  /// Records the removal in the session record, unless the app has deleted the record.
  package func recordRemoval() throws(SystemCallError) {
    try SessionRecordFile(container, name).append(
      [
        "what": "content", "files": .integer(usage.files), "bytes": .integer(usage.bytes),
        "at": .string(WallClock.text(milliseconds: WallClock.milliseconds)),
      ],
      to: "erased"
    )
  }
}

/// The number and total size of the files in a directory.
struct TreeUsage: Sendable {
  /// The number of files.
  private(set) var files: Int64 = 0
  /// The total size of the files in bytes.
  private(set) var bytes: Int64 = 0

  /// Counts the files without following symbolic links; unreadable directories are skipped.
  init(_ path: String) { count(path) }

  private mutating func count(_ path: String) {
    for name in (try? FileSystem.names(in: path)) ?? [] {
      guard let status = (try? FileSystem.status("\(path)/\(name)")) ?? nil else { continue }
      if status.kind == .directory {
        count("\(path)/\(name)")
      } else {
        files += 1
        bytes += status.size
      }
    }
  }
}
