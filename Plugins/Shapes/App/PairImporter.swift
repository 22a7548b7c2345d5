// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import LockedCameraCapture

/// An importer of raw and JPEG pairs from the sessions into a library; each pair is imported once, even after
/// interruptions.
///
/// It keeps no list of imported pairs. The directory of a pair marks it as imported: its name is unique,
/// because it consists of the identifiers of the session and the pair. It appears with one rename(2) when
/// both files are complete.
struct PairImporter {
  /// The directory of the pairs, with one subdirectory each.
  private let pairs: URL
  /// The directory of raw files without a JPEG, with one subdirectory each.
  private let orphans: URL
  /// The directory in which a pair is assembled.
  private let incoming: URL
  /// The app's access to the session content.
  private let manager = LockedCameraCaptureManager.shared
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

  /// Imports all sessions and reports the progress.
  func importAll(_ report: @Sendable (String) -> Void) async throws {
    for content in manager.sessionContentURLs {
      guard let session = LockedCameraCaptureManager.sessionID(of: content) else { continue }
      for raw in try rawFiles(in: content) {
        let name = raw.deletingPathExtension().lastPathComponent
        try importPair("\(session)-\(name)", of: raw, report)
      }
      // The content may be deleted only after the copies are on disk.
      sync()
      try await manager.invalidateSessionContent(at: content)
      report("finished \(session)")
    }
  }

  /// Returns the raw files of a session, one for each pair: a JPEG is never written first.
  private func rawFiles(in content: URL) throws -> [URL] {
    try files.contentsOfDirectory(atPath: content.path(percentEncoded: false))
      .filter { $0.hasSuffix(".dng") || $0.hasSuffix(".y4m") }
      .sorted()
      .map { content.appending(path: $0) }
  }

  /// Imports a pair, or a raw file without its JPEG after an interrupted capture.
  private func importPair(
    _ key: String,
    of raw: URL,
    _ report: @Sendable (String) -> Void
  ) throws {
    let picture = raw.deletingPathExtension().appendingPathExtension("jpg")
    let isComplete = exists(picture)
    let target = (isComplete ? pairs : orphans).appending(path: key, directoryHint: .isDirectory)
    guard !exists(target) else { return }
    // An interrupted run may have left an incomplete directory.
    if exists(incoming) { try files.removeItem(at: incoming) }
    try files.createDirectory(at: incoming, withIntermediateDirectories: false)
    try files.copyItem(at: raw, to: incoming.appending(path: "raw.\(raw.pathExtension)"))
    if isComplete { try files.copyItem(at: picture, to: incoming.appending(path: "photo.jpg")) }
    sync()
    try files.moveItem(at: incoming, to: target)
    report("imported \(isComplete ? "pair" : "orphan") \(key)")
  }

  /// Returns whether a file or directory exists.
  private func exists(_ url: URL) -> Bool { files.fileExists(atPath: url.path(percentEncoded: false)) }
}
