// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// The photo library as one session sees it.
package protocol PhotoServing: AnyObject {
  /// The session has been launched; before this, nothing is asked.
  func begin(_ session: PhotoSession)
  /// No process of the session is left: takes back what it was shown, and says what it has added.
  func finish() -> [SessionRecord.Ingested]
  /// Does what is asked, under the circumstances of this moment, and says what came of it.
  func answer(_ request: PhotoRequest, lock: LockState, permissions: Permissions) -> Reply.Outcome
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
