// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

/// A file of a session, as the host recorded it at the migration; specific to Darkroom.
public struct SessionFile: Sendable, Hashable {
  /// The path of the file, relative to the content directory.
  public let path: String
  /// The size in bytes.
  public let size: Int
  /// The time of the last modification.
  public let modified: Date?
  /// The SHA-256 digest as 64 lowercase hexadecimal digits, or `nil` if digests were not requested.
  public let sha256: String?

  /// Decodes an element of a record's `files`, or returns `nil` if it is invalid.
  init?(_ element: JSONValue) {
    guard let path = element["path"]?.string, let size = element["size"]?.integer else { return nil }
    self.path = path
    self.size = Int(clamping: size)
    modified = SessionMetadata.date(element["modified"])
    let prefix = "sha256:"
    sha256 = element["sha256"]?.string.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
  }
}

/// The result of a request to invalidate a session's content; specific to Darkroom.
public enum SessionContentInvalidation: Sendable, Hashable {
  /// The content was deleted by this request.
  case invalidated
  /// The content was already removed by another consumer.
  case alreadyGone
  /// The URL does not refer to a session of this app.
  case notSessionContent
}

extension LockedCameraCaptureManager {
  /// Deletes the content of a session, like ``invalidateSessionContent(at:)``, and returns whether this call
  /// deleted it.
  ///
  /// - Parameter url: The URL of the content directory.
  /// - Returns: The result.
  /// - Throws: ``LockedCameraCaptureError`` if a system call fails.
  @discardableResult
  public func invalidateContent(at url: URL) async throws -> SessionContentInvalidation {
    guard let container else { return .notSessionContent }
    return try await onPlainThread { try Self.invalidate(url, in: container) }
  }

  /// Deletes the content of a session; blocks during file access.
  private static func invalidate(
    _ url: URL,
    in container: AppContainer
  ) throws(SystemCallError) -> SessionContentInvalidation {
    guard let isTaken = try ContentRemoval(container, url)?.run() else {
      return try ContentRemoval.isMissingSession(of: container, url) ? .alreadyGone : .notSessionContent
    }
    return isTaken ? .invalidated : .alreadyGone
  }

  /// Returns the files of a session, with their sizes and, if the host was asked for them, digests.
  ///
  /// The list outlives the content.
  ///
  /// - Parameter id: The identifier of the session.
  /// - Returns: The files; empty if no session with this identifier was migrated.
  /// - Throws: ``LockedCameraCaptureError`` if a system call fails.
  public func files(ofSession id: UUID) async throws -> [SessionFile] {
    guard let container else { return [] }
    return try await onPlainThread {
      let record = try SessionRecordFile(container, SessionName.text(id)).read()
      return (record?["files"]?.elements ?? []).compactMap(SessionFile.init)
    }
  }
}
