// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives

/// The directory in which an app finds what its sessions have left.
struct ContentDirectory: Hashable, Sendable {
  /// The path of the directory.
  let path: String

  /// The URL of one session's content.
  func url(_ name: String) -> URL { URL(filePath: "\(path)/\(name)", directoryHint: .isDirectory) }

  /// The sessions that are there, the oldest first; each is complete, because the host moves it in with one rename.
  func names() throws(SystemCallError) -> [String] {
    var found: [(modified: Int64, name: String)] = []
    for name in try FileSystem.names(in: path) {
      if let status = try status(name) { found.append((status.modified, name)) }
    }
    return found.sorted { ($0.modified, $0.name) < ($1.modified, $1.name) }.map(\.name)
  }

  /// Whether a session's content is there.
  func contains(_ name: String) throws(SystemCallError) -> Bool { try status(name) != nil }

  /// The status of a session's directory; nil if the name is no session's, or what has it is no directory.
  private func status(_ name: String) throws(SystemCallError) -> FileStatus? {
    guard SessionName.uuid(name) != nil else { return nil }
    let status = try FileSystem.status("\(path)/\(name)")
    return status?.kind == .directory ? status : nil
  }

  /// Makes the directory if only itself is missing.
  func makeIfMissing() throws(SystemCallError) {
    do { try FileSystem.makeDirectory(path) } catch  where error.errno == .fileExists { return }
  }
}
