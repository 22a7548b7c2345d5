// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives

extension LockedCameraCaptureSession {
  /// Writes a file into the session content directory so that it is there whole or not at all.
  ///
  /// `name` may contain directories, which are made. A file that has the name already is replaced.
  @discardableResult
  public func writeContent(_ bytes: [UInt8], to name: String) throws -> URL {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }), !name.utf8.contains(0) else {
      throw LockedCameraCaptureError(
        .invalidName,
        "\"\(name)\" is no name in the session content directory; use one such as \"photo.jpg\""
      )
    }
    let url = sessionContentURL.appending(path: name, directoryHint: .notDirectory)
    let path = url.path(percentEncoded: false)
    do {
      try FileSystem.makeDirectories(FileSystem.directoryName(path))
      try FileSystem.replaceContents(path, with: bytes)
    } catch {
      throw LockedCameraCaptureError(.notWritten, "\(name) was not written: \(error)")
    }
    return url
  }
}
