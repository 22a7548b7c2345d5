// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives

/// The directory in which an app finds the content of its sessions.
struct ContentDirectory: Hashable, Sendable {
  /// The path of the directory.
  let path: String

  /// Returns the URL of one session's content.
  func url(_ name: String) -> URL { URL(filePath: "\(path)/\(name)", directoryHint: .isDirectory) }

  /// Returns the names of the sessions with content, oldest first.
  ///
  /// Each is complete, because the host moves the content with one rename(2).
  func names() throws(SystemCallError) -> [String] {
    var found: [(modified: Int64, name: String)] = []
    for name in try FileSystem.names(in: path) {
      if let status = try status(name) { found.append((status.modified, name)) }
    }
    return found.sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }.map(\.name)
  }

  /// Returns whether the content of a session exists.
  func contains(_ name: String) throws(SystemCallError) -> Bool { try status(name) != nil }

  /// Returns the status of a session's directory, or `nil` if the name is not a session's or does not refer
  /// to a directory.
  private func status(_ name: String) throws(SystemCallError) -> FileStatus? {
    guard SessionName.uuid(name) != nil else { return nil }
    let status = try FileSystem.status("\(path)/\(name)")
    return status?.kind == .directory ? status : nil
  }

  /// Creates the directory if its parent exists.
  func makeIfMissing() throws(SystemCallError) {
    do { try FileSystem.makeDirectory(path) } catch  where error.errno == .fileExists { return }
  }
}
