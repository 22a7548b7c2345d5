// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A source of the lock state of the machine.
package protocol LockWatching: AnyObject {
  /// The current state, which changes only in ``refresh()``.
  var state: LockState { get }
  /// Readable when the state may have changed, or `nil` if it never changes.
  var descriptor: Int32? { get }
  /// Updates ``state`` without blocking. The state is `locked` if it cannot be determined.
  func refresh()
}

/// A lock state that never changes.
package final class FixedLockState: LockWatching {
  package let state: LockState

  /// Creates a source with this state.
  package init(_ state: LockState) { self.state = state }

  package var descriptor: Int32? { nil }
  package func refresh() {}
}
