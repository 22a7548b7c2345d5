// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
package import LinuxPrimitives

/// Locks and unlocks the lock of `darkroom lock`.
///
/// The caller must authenticate the user before it unlocks.
package struct LockControl: Sendable {
  private let paths: LockPaths
  private let environment: LockEnvironment

  /// Creates the control for the lock of a state root.
  package init(root: String, environment: LockEnvironment = .current) {
    paths = LockPaths(root: root)
    self.environment = environment
  }

  /// Locks the screen durably.
  package func lock() throws(SystemCallError) { try write(.locked) }

  /// Unlocks the screen durably after the user was authenticated, and records the first unlock of this boot.
  ///
  /// ``LockMonitor/unlock()`` also asks other lockers to unlock.
  package func unlock() throws(SystemCallError) {
    try write(.unlocked)
    FirstUnlockMarker(paths: paths, boot: environment.boot).set()
  }

  /// Writes the state that ``LockMonitor`` reads.
  private func write(_ state: LockState) throws(SystemCallError) {
    try paths.prepare()
    try FileSystem.replaceContents(paths.stateFile, with: Array("\(state.rawValue)\n".utf8))
  }
}
