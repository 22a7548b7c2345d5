// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// An observer of a session. It is called on the thread that drives the session, and must not block.
package protocol SessionObserving: AnyObject {
  /// The program was started in its sandbox, with these layers.
  func started(_ session: SessionID, _ enforcement: SessionRecord.Enforcement)
  /// A call of a new kind was refused. Equal calls are reported once.
  func refused(_ refusal: SessionRecord.Refusal)
  /// The session ends, because its app will be opened.
  func openingApplication()
}
