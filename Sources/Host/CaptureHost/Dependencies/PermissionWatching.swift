// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// A source of the permissions of an app, which its extension inherits.
package protocol PermissionWatching: AnyObject {
  /// The current permissions with their reasons, which change only in ``refresh()``.
  var resolved: ResolvedPermissions { get }
  /// Readable when the permissions may have changed, or `nil` if they never change.
  var descriptor: Int32? { get }
  /// Updates ``resolved`` without blocking. A permission that cannot be determined is denied.
  func refresh()
  /// Sets the device that the session uses as its camera or microphone. The user may not have selected this
  /// device.
  func attach(_ subject: PermissionSubject, _ device: String)
}

extension PermissionWatching {
  /// The permissions that are reported to the extension.
  package var permissions: Permissions { resolved.permissions }
}

/// Permissions that never change.
package final class FixedPermissions: PermissionWatching {
  package let resolved: ResolvedPermissions

  /// Creates a source with these permissions.
  package init(_ permissions: Permissions) {
    resolved = ResolvedPermissions([
      .camera: ResolvedPermission(permissions.camera, .fixed),
      .microphone: ResolvedPermission(permissions.microphone, .fixed),
      .photosAddOnly: ResolvedPermission(permissions.photosAddOnly, .fixed),
      .photos: ResolvedPermission(permissions.photos, .fixed),
    ])
  }

  package var descriptor: Int32? { nil }
  package func refresh() {}
  package func attach(_ subject: PermissionSubject, _ device: String) {}
}
