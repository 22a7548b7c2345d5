// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// The photo library as one session can access it.
package protocol PhotoServing: AnyObject {
  /// Called when the session has been launched. No request is made before.
  func begin(_ session: PhotoSession)
  /// Called when no process of the session is left.
  ///
  /// Waits for the current request, discards the others, and withdraws the shown copies. Returns the assets
  /// that the session added.
  func finish() -> [SessionRecord.Ingested]
  /// Answers a request, now or later, without waiting for data to be copied.
  ///
  /// The permissions and the lock state at the time of execution apply.
  func answer(
    _ request: PhotoRequest,
    _ id: RequestID,
    lock: LockState,
    permissions: Permissions
  ) -> PhotoAnswer
  /// Readable when there are replies, or `nil` if none are pending.
  var answers: Int32? { get }
  /// Returns the replies to deferred requests, in the order of the requests.
  func takeAnswers() -> [Reply]
  /// Called when the lock state or the permissions have changed. Withdraws the copies that the session may
  /// not read any longer.
  func accessChanged(lock: LockState, permissions: Permissions)
  /// Called when ``descriptor`` was readable and has been read. Withdraws the copies that the session may not
  /// read any longer.
  ///
  /// Returns whether the assets that are visible to the session have changed. The session must not be
  /// notified of other changes.
  func libraryChanged(lock: LockState, permissions: Permissions) -> Bool
  /// Readable when the library has changed, or `nil` if changes cannot be detected.
  ///
  /// The session reads all available bytes (inotify events, or the count of an eventfd), which makes the
  /// descriptor unreadable until the next change.
  var descriptor: Int32? { get }
}

extension PhotoServing {
  /// Does nothing.
  package func begin(_ session: PhotoSession) {}
  /// Returns no assets.
  package func finish() -> [SessionRecord.Ingested] { [] }
}

/// The answer to a photo library request.
package enum PhotoAnswer: Equatable, Sendable {
  /// The outcome is known.
  case now(Reply.Outcome)
  /// The reply is returned later by ``PhotoServing/takeAnswers()``.
  case later
}
