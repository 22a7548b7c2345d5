// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
package import SessionStore

/// Monitors the permissions of an app, which the user and the administrator can change while a session runs.
package final class PermissionMonitor: PermissionWatching {
  private let app: AppStore
  private var resolution: PermissionResolution
  private let files: AdministrationFiles
  private let user: UserIdentity
  /// The change notifier. All permissions are denied if it could not be created.
  private let watch: Result<ChangeNotifier, SystemCallError>
  /// The current permissions with their reasons, which change only in ``refresh()``.
  package private(set) var resolved: ResolvedPermissions

  /// Starts to monitor. If that fails, all permissions are denied, because they could not be revoked.
  package init(
    _ app: AppStore,
    _ resolution: PermissionResolution,
    files: AdministrationFiles,
    user: UserIdentity = .current,
    watching: ChangeNotifier.WatchStart = .deferred
  ) {
    self.app = app
    self.resolution = resolution
    self.files = files
    self.user = user
    do throws(SystemCallError) {
      watch = .success(try ChangeNotifier(watching))
    } catch { watch = .failure(error) }
    resolved = ResolvedPermissions([:])
    refresh()
  }

  /// The descriptor of the change notifier.
  package var descriptor: Int32? { try? watch.get().descriptor }

  /// Sets the device that the permission is about.
  package func attach(_ subject: PermissionSubject, _ device: String) {
    let known = resolution.devices.updateValue(device, forKey: subject)
    // The device matters only if the user has selected some devices.
    if known == nil ? resolved[subject].status == .limited : known != device { refresh() }
  }

  /// Reads the permissions again.
  package func refresh() {
    do throws(SystemCallError) {
      // Acknowledged before reading: a change between the two is reported again.
      try watch.get().acknowledge([app.directory] + files.directories)
      let decided: Result<AppPermissions, StoreError>
      do { decided = .success(try PermissionStore(app).read()) } catch { decided = .failure(error) }
      resolved = resolution.resolve(decided, files.read(for: user))
    } catch {
      resolved = resolution.resolve(.failure(.system(error)), files.read(for: user))
    }
  }
}
