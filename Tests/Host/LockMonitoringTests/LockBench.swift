// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockMonitoring
import TestSupport
import Testing

/// A state root of its own for one test, gone afterwards.
final class LockBench {
  /// The directory.
  let directory: String
  /// What the monitor believes of its machine.
  var surroundings: LockSurroundings

  init() throws {
    directory = "/tmp/darkroom-lock-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory)
    surroundings = LockSurroundings(
      busAddress: "unix:path=\(directory)/no-bus",
      sessionID: nil,
      user: CurrentProcess.userID,
      boot: "this boot"
    )
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// The lock of `darkroom lock`.
  var control: LockControl { LockControl(root: directory, surroundings: surroundings) }

  /// Writes a configuration.
  func configure(_ sources: LockSourceChoice...) throws {
    try LockConfiguration(sources: sources).write(LockPlaces(root: directory))
  }

  /// Begins to follow the lock, and waits for first answers.
  func monitor() -> LockMonitor {
    let monitor = LockMonitor(root: directory, surroundings: surroundings)
    monitor.settle(milliseconds: TestPatience.seconds * 1000)
    return monitor
  }

  /// Puts a file in its place as a program should: whole, by renaming.
  func write(_ name: String, _ text: String, mode: UInt32 = 0o600) throws {
    try FileSystem.replaceContents("\(directory)/\(name)", with: Array(text.utf8), mode: mode)
  }
}

extension LockMonitor {
  /// Waits until the state is this; whether it came.
  func becomes(_ wanted: LockState) -> Bool {
    wait(milliseconds: TestPatience.seconds * 1000) { $0.state == wanted }
    return state == wanted
  }

  /// Waits until the deciding reason is this; the reason in the end.
  func reason(_ isWanted: (LockReason) -> Bool) -> LockReason {
    wait(milliseconds: TestPatience.seconds * 1000) { isWanted($0.decisive.reason) }
    return decisive.reason
  }
}
