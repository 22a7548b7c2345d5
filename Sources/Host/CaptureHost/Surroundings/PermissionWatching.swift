// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// Knows what an app may use; its extension inherits that.
package protocol PermissionWatching: AnyObject {
  /// What is known now, with the reasons; it changes only in ``refresh()``.
  var resolved: ResolvedPermissions { get }
  /// Readable when there may be news; nil: they never change.
  var descriptor: Int32? { get }
  /// Reads what the descriptor has announced, without waiting. What can no longer be found out is denied.
  func refresh()
  /// The session's camera or microphone is this device, which the person need not have selected.
  func attach(_ subject: PermissionSubject, _ device: String)
}

extension PermissionWatching {
  /// What the extension is told.
  package var permissions: Permissions { resolved.permissions }
}

/// Permissions that never change.
package final class FixedPermissions: PermissionWatching {
  package let resolved: ResolvedPermissions

  /// Always these.
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
