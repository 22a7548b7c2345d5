// SPDX-License-Identifier: Apache-2.0

package import AppBundles
internal import LaunchPlanning
internal import LinuxPrimitives
package import SessionStore

/// An installed extension that cannot be removed or replaced while it is held.
package struct ExtensionHold: ~Copyable {
  /// The extension.
  package let `extension`: InstalledExtension
  /// The hold on the installed files.
  private let hold: DirectoryLock

  /// The number of attempts to hold an extension that is replaced at the same time.
  private static let attempts = 8

  private init(_ found: InstalledExtension, _ hold: consuming DirectoryLock) {
    `extension` = found
    self.hold = hold
  }

  /// Returns a hold on an extension, or `nil` if installations replaced the files during every attempt.
  package static func take(_ id: String, in root: StateRoot) throws(CatalogError) -> ExtensionHold? {
    for _ in 0..<attempts {
      // A concurrent installation can replace the files between the lookup and the hold, so both are
      // repeated.
      let found = try root.catalog.find(id)
      if let hold = try found.hold() { return ExtensionHold(found, hold) }
    }
    return nil
  }
}
