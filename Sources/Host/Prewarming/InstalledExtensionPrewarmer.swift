// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import ExtensionProtocol
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SessionServices
internal import SessionStore

/// Prewarms installed extensions whose manifests request it before their first launch.
///
/// The extensions are started for a launch by a control on the lock screen of a locked machine, with one
/// camera.
final class InstalledExtensionPrewarmer: Sendable {
  private let root: StateRoot
  private let camera: String
  private let catalog: AppCatalog

  /// Creates a prewarmer for the extensions of a state directory. ``FrameSourceOpener`` defines the form of
  /// `camera`.
  init(_ root: StateRoot, camera: String) {
    self.root = root
    self.camera = camera
    catalog = AppCatalog(
      appsDirectory: root.appsDirectory,
      groupsDirectory: root.groupsDirectory,
      validator: PolicyFinder.validator
    )
  }

  /// The directories that change when an app is installed.
  var directories: [String] { [root.appsDirectory] }

  /// The apps that have a directory.
  var apps: [AppStore] { ((try? root.appIDs()) ?? []).compactMap { try? root.app($0) } }

  /// Prewarms the extensions of an app while the pool has capacity. An extension that cannot be prewarmed
  /// starts cold.
  func prewarm(_ app: AppStore, in pool: PrewarmPool) {
    let extensions: [InstalledExtension]
    do throws(CatalogError) { extensions = try catalog.app(app.id)?.extensions ?? [] } catch {
      return pool.report(app.id, error)
    }
    for found in extensions where pool.hasCapacity {
      do { try prewarm(found, of: app, in: pool) } catch { pool.report(found.manifest.id, error) }
    }
  }

  private func prewarm(_ found: InstalledExtension, of app: AppStore, in pool: PrewarmPool) throws {
    guard found.manifest.program.preparation == .beforeLaunch, let hold = try found.hold() else { return }
    var choices = ExtensionLaunch.Choices()
    choices.camera = camera
    var request = try ExtensionLaunch.request(found, root, choices)
    let permissions = PermissionMonitor(app, PermissionResolution(found), files: AdministrationFiles())
    // Without the permission, a press of the control opens the app.
    guard permissions.permissions.camera == .authorized else { return }
    request.dependencies = SessionDependencies(
      lock: FixedLockState(.locked),
      permissions: permissions,
      launch: LaunchOrigin(.lockScreen)
    )
    try pool.prepare(for: request)
    _ = consume hold
  }
}
