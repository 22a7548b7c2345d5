// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// Knows whether the machine is locked.
package protocol LockWatching: AnyObject {
  /// What is known now; it changes only in ``refresh()``.
  var state: LockState { get }
  /// Readable when there may be news; nil: it never changes.
  var descriptor: Int32? { get }
  /// Reads what the descriptor has announced, without waiting. Whoever can no longer find out calls the machine locked.
  func refresh()
}

/// A machine whose lock state never changes.
package final class FixedLockState: LockWatching {
  package let state: LockState

  /// Always this.
  package init(_ state: LockState) { self.state = state }

  package var descriptor: Int32? { nil }
  package func refresh() {}
}
