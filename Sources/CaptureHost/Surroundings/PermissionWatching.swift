// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// Knows what an app may use; its extension inherits that.
package protocol PermissionWatching: AnyObject {
  /// What is known now; it changes only in ``refresh()``.
  var permissions: Permissions { get }
  /// Readable when there may be news; nil: they never change.
  var descriptor: Int32? { get }
  /// Reads what the descriptor has announced, without waiting. What can no longer be found out is denied.
  func refresh()
}

/// Permissions that never change.
package final class FixedPermissions: PermissionWatching {
  package let permissions: Permissions

  /// Always these.
  package init(_ permissions: Permissions) { self.permissions = permissions }

  package var descriptor: Int32? { nil }
  package func refresh() {}
}
