// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import FoundationEssentials

/// A session's identity and its directories, as authors know them.
struct SessionPlaces {
  /// The session's identity.
  let session: UUID
  /// Where captures go.
  let content: URL
  /// Scratch space.
  let container: URL
  /// The extension's own files.
  let bundle: URL
  /// The files that the app shares; nil: none.
  let assets: URL?

  /// Reads what the host has said.
  init(_ start: SessionStart) throws(ExtensionFailure) {
    guard let identity = UUID(uuidString: start.sessionID) else {
      let reason = ProtocolViolation.Reason.wrong(
        field: "params.sessionID",
        expected: "a UUID",
        found: "\"\(start.sessionID)\""
      )
      throw .violation(ProtocolViolation(method: HostMethod.sessionStart.rawValue, reason))
    }
    session = identity
    content = URL(filePath: start.sessionDirectory, directoryHint: .isDirectory)
    container = URL(filePath: start.containerDirectory, directoryHint: .isDirectory)
    bundle = URL(filePath: start.extensionDirectory, directoryHint: .isDirectory)
    assets = start.assetsDirectory.map { URL(filePath: $0, directoryHint: .isDirectory) }
  }
}
