// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// The photo library as one session sees it.
package protocol PhotoServing: AnyObject {
  /// The session has been launched; before this, nothing is asked.
  func begin(_ session: PhotoSession)
  /// No process of the session is left: waits for what is being done, has nothing more done, takes back what it was shown, and says what it has added.
  func finish() -> [SessionRecord.Ingested]
  /// Does what is asked, under the circumstances of the moment in which it does so, and says what came of it, now or
  /// later. It never waits for bytes.
  func answer(
    _ request: PhotoRequest,
    _ id: RequestID,
    lock: LockState,
    permissions: Permissions
  ) -> PhotoAnswer
  /// Readable when there are answers; nil: none are to come.
  var answers: Int32? { get }
  /// Takes the answers to requests that were to be answered later, in the order of the requests.
  func takeAnswers() -> [Reply]
  /// The lock or the permissions are other than before: what was shown and may not be seen any more is taken away.
  func circumstancesChanged(lock: LockState, permissions: Permissions)
  /// What ``descriptor`` has announced was read away. Takes back what may not be seen any more; true: something has come
  /// or gone that the session may see under these circumstances. Of anything else it must not be told.
  func libraryChanged(lock: LockState, permissions: Permissions) -> Bool
  /// Readable when the library has changed; nil: nobody can tell. The session reads from it whatever there is (the
  /// events of an inotify instance, the number of an eventfd), which makes it unreadable until the next change.
  var descriptor: Int32? { get }
}

extension PhotoServing {
  package func begin(_ session: PhotoSession) {}
  package func finish() -> [SessionRecord.Ingested] { [] }
}

/// What comes of a request of the photo library.
package enum PhotoAnswer: Equatable, Sendable {
  /// This.
  case now(Reply.Outcome)
  /// It is told by ``PhotoServing/takeAnswers()``.
  case later
}
