// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

extension LockedCameraCaptureManager {
  /// Returns the record of a session.
  ///
  /// The record outlives the content: the metadata of an invalidated session has no `contentURL`.
  ///
  /// - Parameter id: The identifier of the session.
  /// - Returns: The metadata, or `nil` if no session with this identifier was migrated.
  /// - Throws: ``LockedCameraCaptureError`` if a system call fails.
  public func metadata(forSession id: UUID) async throws -> SessionMetadata? {
    guard let container else { return nil }
    return try await onPlainThread { try Self.metadata(id, in: container) }
  }

  /// Returns the record of a session; blocks during file access.
  private static func metadata(_ id: UUID, in container: AppContainer) throws(SystemCallError)
    -> SessionMetadata?
  {
    let name = SessionName.text(id)
    let content = ContentDirectory(path: container.contentDirectory)
    let url = try content.contains(name) ? content.url(name) : nil
    if let record = try SessionRecordFile(container, name).read() {
      return SessionMetadata(id, record, content: url)
    }
    return url.map { SessionMetadata(id, TreeUsage($0.path(percentEncoded: false)), content: $0) }
  }

  /// Returns the identifier of the session whose content is at a URL, or `nil` if the URL is not a session's.
  ///
  /// The identifier is the same before and after updates of the app.
  public static func sessionID(of url: URL) -> UUID? { SessionName.uuid(url.lastPathComponent) }

  /// Waits until the content of a session is available.
  ///
  /// An app that was opened by a capture extension does not need to wait: the host migrates the content
  /// first.
  ///
  /// - Parameter id: The identifier of the session.
  /// - Returns: The URL of the content, or `nil` if the session left no content, if it was invalidated, or if
  ///   the calling task was canceled.
  /// - Throws: ``LockedCameraCaptureError`` if a system call fails.
  public func waitForSession(_ id: UUID) async throws -> URL? {
    let name = SessionName.text(id)
    for await update in sessionContentUpdates {
      switch update {
      case .initial(let urls):
        if let url = urls.first(where: { $0.lastPathComponent == name }) { return url }
        // The host writes the record before it moves the content, so the record shows whether content is
        // still expected.
        if let container, try await onPlainThread({ try Self.isOver(name, in: container) }) { return nil }
      case .added(let url): if url.lastPathComponent == name { return url }
      case .removed: break
      }
    }
    return nil
  }

  /// Returns whether a session has ended and no content of it is expected.
  private static func isOver(_ name: String, in container: AppContainer) throws(SystemCallError) -> Bool {
    guard let record = try SessionRecordFile(container, name).read() else { return false }
    if try ContentDirectory(path: container.contentDirectory).contains(name) { return false }
    if record["content"]?["delivered"]?.bool == false { return true }
    return record["erased"]?.elements?.contains { $0["what"]?.string == "content" } ?? false
  }
}
