// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives

extension LockedCameraCaptureSession {
  /// Writes a file atomically into the session content directory.
  ///
  /// A file with the same name is replaced. This method may be called on any thread.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - name: The path of the file, relative to ``sessionContentURL``. Missing directories are created.
  /// - Returns: The URL of the file.
  /// - Throws: ``LockedCameraCaptureError``: `invalidName` if the path has empty, `.` or `..` components;
  ///   `notWritten` if the file cannot be written.
  @discardableResult
  public func writeContent(_ bytes: [UInt8], to name: String) throws -> URL {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }), !name.utf8.contains(0) else {
      throw LockedCameraCaptureError(
        .invalidName,
        "'\(name)' is not a valid name in the session content directory; use a name such as 'photo.jpg'"
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
