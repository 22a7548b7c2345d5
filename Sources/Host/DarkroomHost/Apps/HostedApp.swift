// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import SessionStore

/// An installed app.
public struct HostedApp: Sendable, Hashable {
  /// The ID.
  public let id: String
  /// The display name.
  public let name: String
  /// The time of the installation, in milliseconds since 1970.
  public let installedAt: Int64
  /// The extensions.
  public let extensions: [HostedExtension]
  /// The controls that launch the extensions.
  public let controls: [Control]
  let store: AppStore

  /// Creates a description of an installed app.
  init(_ app: InstalledApp, _ root: StateRoot) throws(HostError) {
    do throws(StoreError) { store = try root.app(app.manifest.id) } catch { throw HostError(error) }
    (id, name, installedAt) = (app.manifest.id, app.manifest.name, app.installedAt)
    extensions = app.extensions.map { HostedExtension($0.manifest) }
    controls = app.manifest.controls.map(Control.init)
  }

  /// A button or tile that launches an extension on the lock screen, and opens its app elsewhere.
  public struct Control: Sendable, Hashable {
    /// The ID, unique in the app.
    public let id: String
    /// The label.
    public let title: String
    /// The ID of the extension.
    public let extensionID: String
    /// A description in one sentence, or `nil`.
    public let summary: String?
    /// Whether the user must authenticate first; the control then opens the app.
    public let requiresAuthentication: Bool

    /// Creates a control from that of a manifest.
    init(_ control: CaptureControl) {
      (id, title, extensionID, summary) = (control.id, control.title, control.extensionID, control.summary)
      requiresAuthentication = control.authentication == .required
    }
  }

  /// The content of the app's sessions.
  public var content: AppContent { AppContent(store) }
  /// The context that the app shares with its extensions.
  public var context: AppContext { AppContext(store) }
  /// The files that the app shares read-only with its extensions.
  public var assets: AppAssets { AppAssets(store) }
  /// The permissions that the user has given to the app.
  public var permissions: AppPermissionSettings { AppPermissionSettings(store) }
}

/// An installed capture extension.
public struct HostedExtension: Sendable, Hashable {
  /// The ID.
  public let id: String
  /// The display name.
  public let name: String
  /// The name of the shipped policy, or of the policy file in the bundle.
  public let policy: String
  /// Whether the extension exchanges messages with the host.
  public let usesProtocol: Bool
  /// The time after the launch within which the extension must show a viewfinder.
  public let launchDeadline: Duration

  /// Creates a description from a manifest.
  init(_ manifest: ExtensionManifest) {
    (id, name) = (manifest.id, manifest.name)
    switch manifest.policy {
    case .shipped(let name), .file(let name): policy = name
    }
    usesProtocol = manifest.capture.hostProtocol != .none
    launchDeadline = .seconds(manifest.launchDeadline)
  }
}
