// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import SessionStore

/// What an app may use, as the person and the administrator change it while a session runs.
package final class PermissionMonitor: PermissionWatching {
  private let app: AppStore
  private let resolution: PermissionResolution
  private let files: AdministrationFiles
  private let user: UserIdentity
  /// What watches; a failure denies everything.
  private let watch: Result<Watch, SystemCallError>
  /// What is known now, with the reasons; it changes only in ``refresh()``.
  package private(set) var resolved: ResolvedPermissions

  /// A watch in the heap: a result holds no value that cannot be copied.
  private final class Watch {
    /// The kernel's part.
    let changes: ChangeWatch
    /// Watches nothing yet.
    init() throws(SystemCallError) { changes = try ChangeWatch() }
  }

  /// Begins to watch. Where nothing can be watched, everything is denied: a permission that cannot be taken away is none.
  package init(
    _ app: AppStore,
    _ resolution: PermissionResolution,
    files: AdministrationFiles,
    user: UserIdentity = .current
  ) {
    self.app = app
    self.resolution = resolution
    self.files = files
    self.user = user
    do throws(SystemCallError) { watch = .success(try Watch()) } catch { watch = .failure(error) }
    resolved = ResolvedPermissions([:])
    refresh()
  }

  /// The descriptor of the watch.
  package var descriptor: Int32? { try? watch.get().changes.descriptor.rawValue }

  /// Looks again at what was decided.
  package func refresh() {
    do throws(SystemCallError) {
      let watch = try watch.get()
      // Before the look: what changes between the two is reported again.
      try watch.changes.acknowledge()
      for directory in [app.directory] + files.directories { try watch.changes.watch(directory) }
      let decided: Result<AppPermissions, StoreError>
      do { decided = .success(try PermissionStore(app).read()) } catch { decided = .failure(error) }
      resolved = resolution.resolve(decided, files.read(for: user))
    } catch {
      resolved = resolution.resolve(.failure(.system(error)), files.read(for: user))
    }
  }
}
