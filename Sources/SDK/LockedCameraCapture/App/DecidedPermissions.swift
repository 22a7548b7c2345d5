// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// What the person has decided about the app that this process is, read where `darkroom permission` keeps it.
///
/// An app is told nothing by a host that is not running. What an administrator forbids, and what manifests give no reason
/// for, is not looked at: the host does that whenever something is used.
struct DecidedPermissions: Sendable {
  /// The largest file that the host writes: each of the selected assets, and some more.
  private static let limits = JSONLimits(bytes: 8 << 20, depth: 4)

  private let settings: JSONValue

  /// Reads the decisions; nil in a process that is no app's.
  init?(_ container: AppContainer? = AppContainer(environment: CurrentProcess.environment)) {
    guard let container else { return nil }
    let path = "\(FileSystem.directoryName(container.path))/permissions.json"
    let bytes = try? FileSystem.open(path, [.noFollow]).readAll(limit: Self.limits.bytes)
    let document = bytes.flatMap { try? JSONNode.parse($0, limits: Self.limits).value }
    settings = document?["settings"] ?? .null
  }

  /// What was decided of one subject, by the name that `darkroom permission` gives it; a file that cannot be read allows
  /// nothing.
  subscript(subject: String) -> PermissionStatus {
    switch settings[subject]?.string {
    case "authorized": .authorized
    case "denied": .denied
    case "limited": .limited
    // The person is asked when a session begins, and not by the app.
    case "ask": .notDetermined
    default: .notDetermined
    }
  }
}
