// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension AppCatalog {
  /// Removes the remains of interrupted installations and uninstallations. Safe at any time: a running
  /// installation or uninstallation cleans up itself, so nothing is done then.
  ///
  /// An app with an unreadable record keeps all its copies. Installing the app again repairs it.
  package func recover() throws(CatalogError) {
    let lock = try step { () throws(SystemCallError) in
      try FileSystem.status(appsDirectory) == nil ? nil : FileLock.tryLock("\(appsDirectory)/.lock")
    }
    guard let lock else { return }
    try removeUninstalled()
    for id in try appIDs() {
      let bundles = paths(id).bundles
      let isThere = try step { () throws(SystemCallError) in try FileSystem.status(bundles) != nil }
      guard isThere else { continue }
      let installed: InstallationRecord?
      do { installed = try record(id) } catch .damaged { continue }
      try removeLeftovers(id, keeping: installed?.generation)
    }
    _ = lock
  }
}
