// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import CaptureHost
internal import LaunchPlanning
internal import LockMonitoring
package import SessionStore

extension StateRoot {
  /// Returns the installed extension with an ID, or the error of its lookup.
  package func installedExtension(_ id: String) -> Result<InstalledExtension, CatalogError> {
    do throws(CatalogError) { return .success(try catalog.find(id)) } catch { return .failure(error) }
  }
}

extension ApplicationOpener {
  /// Creates the opener of an app that is installed in its state root.
  package convenience init(_ app: AppStore, environment: @escaping @Sendable (String) -> String?) {
    self.init(app, catalog: app.root.catalog, environment: environment)
  }
}

extension LaunchCircumstances {
  /// Returns the circumstances of a launch of an extension from the lock screen now.
  ///
  /// - Parameters:
  ///   - id: The ID of the extension, which need not be installed.
  ///   - app: The app of the extension.
  ///   - camera: The source of the frames, or `nil` if the machine has no camera.
  ///   - environment: A closure that returns the value of an environment variable of the user.
  /// - Returns: The circumstances, on which the decision about the launch depends.
  package static func atLockScreen(
    _ id: String,
    _ app: AppStore,
    camera: String?,
    environment: @escaping @Sendable (String) -> String?
  ) -> LaunchCircumstances {
    let lock = LockMonitor(root: app.root.path)
    lock.waitForFirstReports()
    var context = ControlPressContext(
      surface: .lockScreen,
      lock: lock.state,
      firstUnlock: lock.firstUnlock == .done ? .happened : .pending,
      camera: camera == nil ? .missing : .present
    )
    // The device is resolved only if the user has selected cameras, because resolution queries the device.
    if (try? PermissionStore(app).read())?[.camera] == .limited {
      context.devices[.camera] = camera.flatMap {
        CaptureDevice.isSingleUse($0) ? nil : try? CaptureDevice.resolvedName($0)
      }
    }
    return LaunchCircumstances(
      context,
      app.root.installedExtension(id),
      app: app,
      administration: AdministrationFiles(environment: environment).read(),
      opener: ApplicationOpener(app, environment: environment)
    )
  }
}
