// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives
internal import LockedCameraCapture

/// An importer of sessions from the app's container into its library, each exactly once.
struct SessionImporter {
  private let library: String
  private let manager: LockedCameraCaptureManager
  private let ledger: ImportLedger

  /// Opens the ledger of the library; creates the library if it does not exist.
  init(container: String, library: String) throws {
    self.library = library
    manager = LockedCameraCaptureManager(container: URL(filePath: container, directoryHint: .isDirectory))
    ledger = try ImportLedger(directory: URL(filePath: library, directoryHint: .isDirectory))
  }

  /// Imports all sessions and prints the progress.
  ///
  /// - Returns: The number of sessions that were new.
  func importAll() async throws -> Int {
    var count = 0
    for url in manager.sessionContentURLs {
      guard let id = LockedCameraCaptureManager.sessionID(of: url) else { continue }
      let isNew = try await ledger.importSession(id) { target in
        try copyContents(of: path(url), to: path(target))
      }
      if isNew {
        print("imported \(library)/\(url.lastPathComponent)")
        count += 1
      }
      // The content is invalidated last: after an earlier interruption, the next run finds either the content
      // or the ledger's marker.
      try await manager.invalidateSessionContent(at: url)
    }
    return count
  }

  /// Copies the contents of a directory into an empty one. The ledger synchronizes the files to disk.
  private func copyContents(of source: String, to target: String) throws(SystemCallError) {
    for name in try FileSystem.names(in: source) {
      let (old, new) = ("\(source)/\(name)", "\(target)/\(name)")
      switch try FileSystem.status(old)?.kind {
      case .directory:
        try FileSystem.makeDirectory(new)
        try copyContents(of: old, to: new)
      case .regular: try copyFile(old, to: new)
      case let kind: print("skipped \(old): \(kind.map(\.rawValue) ?? "removed")")
      }
    }
  }

  private func copyFile(_ source: String, to target: String) throws(SystemCallError) {
    let input = try FileSystem.open(source, [.read, .noFollow])
    let output = try FileSystem.open(target, [.write, .create, .exclusive])
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { buffer.deallocate() }
    while case .bytes(let count) = try input.read(into: buffer) {
      try output.writeAll(Array(buffer[..<count]))
    }
  }

  /// Returns the path of a directory, without the trailing slash of its URL.
  private func path(_ url: URL) -> String { String(url.path(percentEncoded: false).dropLast()) }
}
