// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The user's permission decisions for the app of this process, read from the file that `darkroom permission`
/// writes.
///
/// An app cannot query a host that is not running. Restrictions by an administrator and missing usage
/// descriptions are not considered; the host checks them at each use.
struct StoredPermissions: Sendable {
  /// The limits for the file, which lists each selected asset.
  private static let limits = JSONLimits(bytes: 8 << 20, depth: 4)

  private let settings: JSONValue

  /// Reads the decisions, or returns `nil` if the process does not belong to an app.
  init?(_ container: AppContainer? = AppContainer(environment: CurrentProcess.environment)) {
    guard let container else { return nil }
    let path = "\(FileSystem.directoryName(container.path))/permissions.json"
    let bytes = try? FileSystem.open(path, [.noFollow]).readAll(limit: Self.limits.bytes)
    let document = bytes.flatMap { try? JSONNode.parse($0, limits: Self.limits).value }
    settings = document?["settings"] ?? .null
  }

  /// Returns the decision for a subject, by its name in `darkroom permission`.
  ///
  /// A file that cannot be read grants nothing.
  subscript(subject: String) -> PermissionStatus {
    switch settings[subject]?.string {
    case "authorized": .authorized
    case "denied": .denied
    case "limited": .limited
    // The host prompts the user when a session starts; the app never does.
    case "ask": .notDetermined
    default: .notDetermined
    }
  }
}
