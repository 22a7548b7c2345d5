// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import FoundationEssentials

/// The identifier and the directories of a session, as Foundation types.
struct SessionDirectories {
  /// The identifier of the session.
  let session: UUID
  /// The session content directory.
  let content: URL
  /// The directory for temporary files.
  let container: URL
  /// The bundle of the extension.
  let bundle: URL
  /// The files that the app shares, or `nil` if there are none.
  let assets: URL?

  /// Converts the parameters of `session/start`.
  init(_ start: SessionStart) throws(ExtensionFailure) {
    guard let identity = UUID(uuidString: start.identity.sessionID) else {
      let reason = ProtocolViolation.Reason.wrong(
        field: "params.sessionID",
        expected: "a UUID",
        found: "\"\(start.identity.sessionID)\""
      )
      throw .violation(ProtocolViolation(method: HostMethod.sessionStart.rawValue, reason))
    }
    session = identity
    content = URL(filePath: start.directories.session, directoryHint: .isDirectory)
    container = URL(filePath: start.directories.container, directoryHint: .isDirectory)
    bundle = URL(filePath: start.directories.extension, directoryHint: .isDirectory)
    assets = start.directories.assets.map { URL(filePath: $0, directoryHint: .isDirectory) }
  }
}
