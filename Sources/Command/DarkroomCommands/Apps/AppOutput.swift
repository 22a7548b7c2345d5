// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import Digests
internal import JSONText
internal import PolicyExplanation
internal import SandboxAudit

/// Installed apps, formatted as a table or as JSON.
enum AppOutput {
  /// The number of digits of a digest in the table, which suffices to distinguish digests by eye.
  private static let shortDigits = 12

  /// Returns a table of apps, with the extensions of each app below it.
  static func table(_ apps: [InstalledApp]) -> TextTable {
    var table = TextTable([
      .init("APP AND EXTENSIONS"), .init("NAME"), .init("POLICY"), .init("PROTOCOL"), .init("DIGEST"),
      .init("INSTALLED (UTC)"),
    ])
    for app in apps {
      let installed = TimestampText.short(app.installedAt)
      table.add([app.manifest.id, app.manifest.name, "", "", "", installed])
      for found in app.extensions {
        let digest = found.pinned.executable.map {
          $0.description.dropFirst("sha256:".count).prefix(shortDigits)
        }
        table.add([
          "  \(found.manifest.id)", found.manifest.name, policy(found),
          found.manifest.capture.hostProtocol.rawValue,
          digest.map(String.init) ?? "host file", "",
        ])
      }
    }
    return table
  }

  /// Returns an app as JSON.
  static func json(_ app: InstalledApp) -> JSONValue {
    [
      "id": .string(app.manifest.id),
      "name": .string(app.manifest.name),
      "installedAt": TimestampText.json(app.installedAt),
      "directory": .string(app.directory),
      "groups": .array(app.manifest.groups.map(JSONValue.string)),
      "controls": .array(
        app.manifest.controls.map {
          ["id": .string($0.id), "title": .string($0.title), "extension": .string($0.extensionID)]
        }
      ),
      "extensions": .array(app.extensions.map(json)),
    ]
  }

  private static func json(_ found: InstalledExtension) -> JSONValue {
    .object([
      "id": .string(found.manifest.id),
      "name": .string(found.manifest.name),
      "protocol": .string(found.manifest.capture.hostProtocol.rawValue),
      "policy": .string(policy(found)),
      "frames": .string(found.manifest.capture.frames.rawValue),
      "launchDeadline": .number(found.manifest.launchDeadline),
      "executable": .string(found.executablePath),
      "executableDigest": found.pinned.executable.map { .string($0.description) },
      "executableLinks": found.pinned.links.isEmpty ? nil : .array(found.pinned.links.map(\.json)),
      "manifestDigest": .string(found.pinned.manifest.description),
    ])
  }

  private static func policy(_ found: InstalledExtension) -> String {
    switch found.manifest.policy {
    case .shipped(let name): name
    case .file(let path): path
    }
  }
}
