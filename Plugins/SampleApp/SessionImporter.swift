// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials
internal import LinuxPrimitives
internal import LockedCameraCapture

/// Brings sessions from the app's container into its library, each exactly once.
struct SessionImporter {
  private let library: String
  private let manager: LockedCameraCaptureManager
  private let ledger: ImportLedger

  /// Opens the ledger of the library, which is made if it is not there.
  init(container: String, library: String) throws {
    self.library = library
    manager = LockedCameraCaptureManager(container: URL(filePath: container, directoryHint: .isDirectory))
    ledger = try ImportLedger(directory: URL(filePath: library, directoryHint: .isDirectory))
  }

  /// Imports every session that is there and prints what it does. Returns how many were new.
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
      // Only now: whatever happens before, the next run finds either the content or the ledger's mark.
      try await manager.invalidateSessionContent(at: url)
    }
    return count
  }

  /// Copies what is in a directory into an empty one. The ledger makes it durable.
  private func copyContents(of source: String, to target: String) throws(SystemCallError) {
    for name in try FileSystem.names(in: source) {
      let (old, new) = ("\(source)/\(name)", "\(target)/\(name)")
      switch try FileSystem.status(old)?.kind {
      case .directory:
        try FileSystem.makeDirectory(new)
        try copyContents(of: old, to: new)
      case .regular: try copyFile(old, to: new)
      case let kind: print("skipped \(old): \(kind.map(\.rawValue) ?? "gone")")
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

  /// The path of a directory, without the slash that its URL has at the end.
  private func path(_ url: URL) -> String { String(url.path(percentEncoded: false).dropLast()) }
}
