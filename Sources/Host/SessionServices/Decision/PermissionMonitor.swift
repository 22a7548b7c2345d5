// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
package import SessionStore

/// What an app may use, as the person and the administrator change it while a session runs.
package final class PermissionMonitor: PermissionWatching {
  private let app: AppStore
  private var resolution: PermissionResolution
  private let files: AdministrationFiles
  private let user: UserIdentity
  /// What watches; a failure denies everything.
  private let watch: Result<ChangeNotice, SystemCallError>
  /// What is known now, with the reasons; it changes only in ``refresh()``.
  package private(set) var resolved: ResolvedPermissions

  /// Begins to watch. Where that is not possible, everything is denied: a permission that cannot be taken away is none.
  package init(
    _ app: AppStore,
    _ resolution: PermissionResolution,
    files: AdministrationFiles,
    user: UserIdentity = .current,
    watching: ChangeNotice.Beginning = .later
  ) {
    self.app = app
    self.resolution = resolution
    self.files = files
    self.user = user
    do throws(SystemCallError) {
      watch = .success(try ChangeNotice(watching))
    } catch { watch = .failure(error) }
    resolved = ResolvedPermissions([:])
    refresh()
  }

  /// The descriptor of the watch.
  package var descriptor: Int32? { try? watch.get().descriptor }

  /// From now on it is about this device.
  package func attach(_ subject: PermissionSubject, _ device: String) {
    let known = resolution.devices.updateValue(device, forKey: subject)
    // Which it is makes a difference only where the person has selected some.
    if known == nil ? resolved[subject].status == .limited : known != device { refresh() }
  }

  /// Looks again at what was decided.
  package func refresh() {
    do throws(SystemCallError) {
      // Before the look: what changes between the two is reported again.
      try watch.get().acknowledge([app.directory] + files.directories)
      let decided: Result<AppPermissions, StoreError>
      do { decided = .success(try PermissionStore(app).read()) } catch { decided = .failure(error) }
      resolved = resolution.resolve(decided, files.read(for: user))
    } catch {
      resolved = resolution.resolve(.failure(.system(error)), files.read(for: user))
    }
  }
}
