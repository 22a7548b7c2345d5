// SPDX-License-Identifier: Apache-2.0

package import Microphones

/// A listener to the sound that an extension receives from its microphone.
///
/// A listener reads the ring of the extension, which contains only sound that the extension may receive.
package protocol SoundListening: Sendable {
  /// Notifies the listener of the ring. The session's thread calls this function before any sound flows.
  func begin(_ ring: SoundRing)
  /// Notifies the listener that a block was published in the ring. The microphone's thread calls this
  /// function, which must not block.
  func blockWasPublished()
  /// Notifies the listener that no block follows. The session's thread calls this function.
  func finish()
}
