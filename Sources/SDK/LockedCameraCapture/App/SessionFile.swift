// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

/// One file that a session has left, as the host has found it when it handed the content over; not Apple's.
public struct SessionFile: Sendable, Hashable {
  /// Its path in the content directory.
  public let path: String
  /// Its length in bytes.
  public let size: Int
  /// When it was changed last.
  public let modified: Date?
  /// The SHA-256 digest of what is in it, 64 lower-case hexadecimal digits; nil if none were asked for.
  public let sha256: String?

  /// Reads an element of a record's `files`; nil if it is none.
  init?(_ element: JSONValue) {
    guard let path = element["path"]?.string, let size = element["size"]?.integer else { return nil }
    self.path = path
    self.size = Int(clamping: size)
    modified = SessionMetadata.moment(element["modified"])
    let prefix = "sha256:"
    sha256 = element["sha256"]?.string.map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
  }
}

/// What has become of a request to invalidate a session's content; not Apple's.
public enum SessionContentInvalidation: Sendable, Hashable {
  /// The content was there and is gone now.
  case invalidated
  /// The content was not there any more: another consumer was first.
  case alreadyGone
  /// The URL leads to no session of this app.
  case notSessionContent
}

extension LockedCameraCaptureManager {
  /// The same as ``invalidateSessionContent(at:)``, which says which of several consumers it was.
  @discardableResult
  public func invalidateContent(at url: URL) async throws -> SessionContentInvalidation {
    guard let container else { return .notSessionContent }
    return try await onPlainThread { try Self.invalidate(url, in: container) }
  }

  /// The same, at once.
  private static func invalidate(
    _ url: URL,
    in container: AppContainer
  ) throws(SystemCallError) -> SessionContentInvalidation {
    guard let isTaken = try ContentRemoval(container, url)?.run() else {
      return try ContentRemoval.namesSession(of: container, url) ? .alreadyGone : .notSessionContent
    }
    return isTaken ? .invalidated : .alreadyGone
  }

  /// Every file that a session has left, with size and, if the host was asked for them, digests; empty if the host has
  /// handed no session over that has this identity.
  ///
  /// The list outlives the content. Throws what the kernel has refused.
  public func files(ofSession id: UUID) async throws -> [SessionFile] {
    guard let container else { return [] }
    return try await onPlainThread {
      let record = try RecordText(container, SessionName.text(id)).read()
      return (record?["files"]?.elements ?? []).compactMap(SessionFile.init)
    }
  }
}
