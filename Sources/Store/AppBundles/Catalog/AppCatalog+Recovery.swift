// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension AppCatalog {
  /// Removes what installations and uninstallations have left that were interrupted. Safe at any time: where somebody
  /// installs or uninstalls just now nothing is done, because they tidy up themselves.
  ///
  /// An app whose record cannot be read keeps all its copies: installing it again mends it.
  package func recover() throws(CatalogError) {
    let lock = try step { () throws(SystemCallError) in
      try FileSystem.status(appsDirectory) == nil ? nil : FileLock.tryLock("\(appsDirectory)/.lock")
    }
    guard let lock else { return }
    try removeUninstalled()
    for id in try appIDs() {
      let bundles = places(id).bundles
      let isThere = try step { () throws(SystemCallError) in try FileSystem.status(bundles) != nil }
      guard isThere else { continue }
      let installed: InstallationRecord?
      do { installed = try record(id) } catch .damaged { continue }
      try removeLeftovers(id, keeping: installed?.generation)
    }
    _ = lock
  }
}
