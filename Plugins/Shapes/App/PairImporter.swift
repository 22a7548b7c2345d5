// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LockedCameraCapture

/// Brings pairs of raw and JPEG from the sessions into a library: each pair once, whatever interrupts it.
///
/// There is no list of what was done. A pair's directory in the library is the mark: it has a name that no other pair has,
/// of the session's identity and the pair's, and it appears with one rename when both files are in it.
struct PairImporter {
  /// Where pairs are, a directory each.
  private let pairs: URL
  /// Where raw files without a JPEG are, a directory each.
  private let orphans: URL
  /// Where a pair is put together.
  private let incoming: URL
  /// The app's side of capture.
  private let manager = LockedCameraCaptureManager.shared
  /// The way to the files.
  private let files = FileManager.default

  /// Prepares a library.
  init(library: URL) throws {
    pairs = library.appending(path: "pairs", directoryHint: .isDirectory)
    orphans = library.appending(path: "orphans", directoryHint: .isDirectory)
    incoming = library.appending(path: ".incoming", directoryHint: .isDirectory)
    for directory in [pairs, orphans] {
      try files.createDirectory(at: directory, withIntermediateDirectories: true)
    }
  }

  /// Imports every session that is there, and says what it does.
  func importAll(_ report: @Sendable (String) -> Void) async throws {
    for content in manager.sessionContentURLs {
      guard let session = LockedCameraCaptureManager.sessionID(of: content) else { continue }
      for name in try names(in: content) {
        try importPair("\(session)-\(name)", of: name, in: content, report)
      }
      // Only what is on the disk may be given away.
      sync()
      try await manager.invalidateSessionContent(at: content)
      report("finished \(session)")
    }
  }

  /// The pairs of a session: the names of its raw files, for a JPEG never comes first.
  private func names(in content: URL) throws -> [String] {
    try files.contentsOfDirectory(atPath: content.path(percentEncoded: false))
      .filter { $0.hasSuffix(".y4m") }
      .map { String($0.dropLast(4)) }
      .sorted()
  }

  /// Puts a pair into the library, or a raw file whose JPEG an interruption has prevented.
  private func importPair(
    _ key: String,
    of name: String,
    in content: URL,
    _ report: @Sendable (String) -> Void
  ) throws {
    let raw = content.appending(path: "\(name).y4m")
    let picture = content.appending(path: "\(name).jpg")
    let isWhole = exists(picture)
    let target = (isWhole ? pairs : orphans).appending(path: key, directoryHint: .isDirectory)
    guard !exists(target) else { return }
    // An interrupted run has left it, and nobody knows how far it came.
    if exists(incoming) { try files.removeItem(at: incoming) }
    try files.createDirectory(at: incoming, withIntermediateDirectories: false)
    try files.copyItem(at: raw, to: incoming.appending(path: "raw.y4m"))
    if isWhole { try files.copyItem(at: picture, to: incoming.appending(path: "photo.jpg")) }
    sync()
    try files.moveItem(at: incoming, to: target)
    report("imported \(isWhole ? "pair" : "orphan") \(key)")
  }

  /// Whether a file or directory is there.
  private func exists(_ url: URL) -> Bool { files.fileExists(atPath: url.path(percentEncoded: false)) }
}
