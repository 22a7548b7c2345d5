// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

extension LockedCameraCaptureManager {
  /// What is known of a session, by its identity; nil if the host has handed none over that has it.
  ///
  /// The record outlives the content: a session that was invalidated is still known, without a `contentURL`. Throws what
  /// the kernel has refused.
  public func metadata(forSession id: UUID) async throws -> SessionMetadata? {
    guard let container else { return nil }
    return try await onPlainThread { try Self.metadata(id, in: container) }
  }

  /// The same, at once.
  private static func metadata(_ id: UUID, in container: AppContainer) throws(SystemCallError)
    -> SessionMetadata?
  {
    let name = SessionName.text(id)
    let content = ContentDirectory(path: container.contentDirectory)
    let url = try content.contains(name) ? content.url(name) : nil
    if let record = try RecordText(container, name).read() {
      return SessionMetadata(id, record, content: url)
    }
    return url.map { SessionMetadata(id, TreeUsage($0.path(percentEncoded: false)), content: $0) }
  }

  /// The session whose content is at a URL; nil if it is no session's. The same through updates of the app.
  public static func sessionID(of url: URL) -> UUID? { SessionName.uuid(url.lastPathComponent) }

  /// Waits until the content of a session is there, and gives its URL.
  ///
  /// An app that a capture extension has opened needs not wait: the host hands over first. Nil if the session left no
  /// content, or it has been invalidated already, or the calling task was cancelled.
  public func waitForSession(_ id: UUID) async throws -> URL? {
    let name = SessionName.text(id)
    for await update in sessionContentUpdates {
      switch update {
      case .initial(let urls):
        if let url = urls.first(where: { $0.lastPathComponent == name }) { return url }
        // The record comes before the content, so that it says here whether anything is still to come.
        if let container, try await onPlainThread({ try Self.isOver(name, in: container) }) { return nil }
      case .added(let url): if url.lastPathComponent == name { return url }
      case .removed: break
      }
    }
    return nil
  }

  /// Whether a session has ended and none of its content is to come any more.
  private static func isOver(_ name: String, in container: AppContainer) throws(SystemCallError) -> Bool {
    guard let record = try RecordText(container, name).read() else { return false }
    if try ContentDirectory(path: container.contentDirectory).contains(name) { return false }
    if record["content"]?["delivered"]?.bool == false { return true }
    return record["erased"]?.elements?.contains { $0["what"]?.string == "content" } ?? false
  }
}
