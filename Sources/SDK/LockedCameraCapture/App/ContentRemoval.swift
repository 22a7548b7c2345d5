// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
internal import JSONText
package import LinuxPrimitives

/// The removal of one session's content from an app's container, in steps between any two of which the process may be
/// killed.
///
/// | killed after | what is left |
/// |---|---|
/// | `take` | the content in the trash, which the host empties when it recovers; no consumer sees it any more |
/// | `delete` | a record without the receipt |
///
/// Of much content the receipt is written before it is deleted.
package struct ContentRemoval: Sendable {
  private let container: AppContainer
  private let name: String
  private let usage: TreeUsage
  private var taken: Taken?

  /// Where the content is while it is being deleted.
  private struct Taken {
    /// The directory that it was moved to.
    let directory: String
    /// Its name there.
    let name: String
  }

  /// Looks at what is to be removed; nil if `url` leads to no session of this container.
  ///
  /// The last component has to be a session's name and a directory of its own, not a link to one; the directory before
  /// it has to be the container's, by whatever way that is named, but not through `..`.
  package init?(_ container: AppContainer, _ url: URL) throws(SystemCallError) {
    guard let name = try Self.name(container, url),
      try ContentDirectory(path: container.contentDirectory).contains(name)
    else { return nil }
    self.container = container
    self.name = name
    usage = TreeUsage("\(container.contentDirectory)/\(name)")
  }

  /// Whether a URL could lead to a session of this container, and nothing at all has its name.
  static func namesSession(of container: AppContainer, _ url: URL) throws(SystemCallError) -> Bool {
    guard let name = try name(container, url) else { return false }
    return try FileSystem.status("\(container.contentDirectory)/\(name)") == nil
  }

  /// The name of the session of this container that a URL leads to, if it is there.
  private static func name(_ container: AppContainer, _ url: URL) throws(SystemCallError) -> String? {
    guard url.isFileURL else { return nil }
    let path = url.path(percentEncoded: false)
    let parts = path.split(separator: "/").map(String.init)
    guard let name = parts.last, SessionName.uuid(name) != nil, !parts.contains("..") else { return nil }
    let parent = path.hasPrefix("/") ? "/" + parts.dropLast().joined(separator: "/") : ""
    return try isSame(parent, container.contentDirectory) ? name : nil
  }

  /// Whether two paths lead to the same directory.
  private static func isSame(_ path: String, _ other: String) throws(SystemCallError) -> Bool {
    do {
      return try FileSystem.realPath(path) == FileSystem.realPath(other)
    } catch  where [.noSuchFile, .notADirectory, .tooManyLinks].contains(error.errno) {
      return false
    }
  }

  /// Makes all steps; of several who do so at once, one takes the content and the others find it gone.
  ///
  /// Says whether it was this one. What is much is deleted behind the caller's back, when nobody else wants to read or
  /// write. If this process ends before that is done, the host does the rest.
  @discardableResult
  package consuming func run() throws(SystemCallError) -> Bool {
    var removal = self
    guard try removal.take() else { return false }
    guard removal.usage.files > Self.filesAtOnce, removal.isInTrash else {
      try removal.delete()
      try removal.acknowledge()
      return true
    }
    try removal.acknowledge()
    let rest = removal
    _ = try PlainThread.start(name: "sweep") {
      CurrentProcess.runLast()
      try? rest.delete()
    }
    return true
  }

  /// How many files are deleted while the caller waits.
  private static let filesAtOnce = 256

  /// Whether the host finds what this process does not come to delete.
  private var isInTrash: Bool { taken?.directory == container.trashDirectory }

  /// Takes the content out of every consumer's sight with one rename, durably; false if somebody else was faster.
  package mutating func take() throws(SystemCallError) -> Bool {
    // As the host names what nobody needs any more, so that it finishes what this process may not.
    let newName = "removed-\(Randomness.hexadecimal(bytes: 12))"
    let old = "\(container.contentDirectory)/\(name)"
    for directory in [container.trashDirectory, container.path] {
      // A name with a dot, in the container, for one that stands outside a state root.
      let name = directory == container.path ? ".\(newName)" : newName
      do {
        try FileSystem.rename(old, to: "\(directory)/\(name)", .noReplace)
      } catch  where error.errno == .noSuchFile || error.errno == .crossDevice {
        // No such trash, or no such content any more.
        if try FileSystem.status(old) == nil { return false }
        continue
      }
      taken = Taken(directory: directory, name: name)
      // Otherwise the content could be back after a power failure, and be imported twice.
      try FileSystem.synchronizeDirectory(container.contentDirectory)
      return true
    }
    throw SystemCallError("renameat2", path: old, errno: .noSuchFile)
  }

  /// Deletes what was taken.
  package func delete() throws(SystemCallError) {
    guard let taken else { return }
    try FileSystem.removeTree("\(taken.directory)/\(taken.name)")
  }

  /// Notes the removal in the session's record, unless the app has removed that.
  package func acknowledge() throws(SystemCallError) {
    try RecordText(container, name).append(
      [
        "what": "content", "files": .integer(usage.files), "bytes": .integer(usage.bytes),
        "at": .string(WallClock.text(milliseconds: WallClock.milliseconds)),
      ],
      to: "erased"
    )
  }
}

/// How much is in a directory.
struct TreeUsage: Sendable {
  /// The number of files.
  private(set) var files: Int64 = 0
  /// The sum of their lengths.
  private(set) var bytes: Int64 = 0

  /// Counts, following no symbolic link; what cannot be read is left out.
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
