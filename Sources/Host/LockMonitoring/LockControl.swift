// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import LinuxPrimitives

/// Locks and unlocks: what `darkroom lock` does, and what follows when the person was authenticated.
///
/// Nothing here authenticates anybody; that is done before.
package struct LockControl: Sendable {
  private let places: LockPlaces
  private let surroundings: LockSurroundings

  /// The lock of a state root.
  package init(root: String, surroundings: LockSurroundings = .current) {
    places = LockPlaces(root: root)
    self.surroundings = surroundings
  }

  /// Locks; durable when it returns.
  package func lock() throws(SystemCallError) { try write(.locked) }

  /// Unlocks after the person was authenticated, and remembers that the person was here in this boot; durable when it
  /// returns. ``LockMonitor/unlock()`` asks other lockers, too.
  package func unlock() throws(SystemCallError) {
    try write(.unlocked)
    FirstUnlockMarker(places: places, boot: surroundings.boot).set()
  }

  /// Writes the word that ``LockMonitor`` reads.
  private func write(_ state: LockState) throws(SystemCallError) {
    try places.prepare()
    try FileSystem.replaceContents(places.stateFile, with: Array("\(state.rawValue)\n".utf8))
  }
}
