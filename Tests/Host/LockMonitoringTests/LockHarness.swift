// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockMonitoring
import TestSupport
import Testing

/// A temporary state root for one test.
final class LockHarness {
  /// The path of the state root.
  let directory: String
  /// The simulated environment of the monitor.
  var environment: LockEnvironment

  init() throws {
    directory = "/tmp/darkroom-lock-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory)
    environment = LockEnvironment(
      busAddress: "unix:path=\(directory)/no-bus",
      sessionID: nil,
      user: CurrentProcess.userID,
      boot: "this boot"
    )
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// The lock control of the `darkroom lock` command.
  var control: LockControl { LockControl(root: directory, environment: environment) }

  /// Writes a configuration with the given sources.
  func configure(_ sources: LockSourceChoice...) throws {
    try LockConfiguration(sources: sources).write(LockPaths(root: directory))
  }

  /// Returns a monitor after its first answers have arrived.
  func monitor() -> LockMonitor {
    let monitor = LockMonitor(root: directory, environment: environment)
    monitor.waitForFirstReports(milliseconds: TestTimeout.seconds * 1000)
    return monitor
  }

  /// Replaces a file atomically.
  func write(_ name: String, _ text: String, mode: UInt32 = 0o600) throws {
    try FileSystem.replaceContents("\(directory)/\(name)", with: Array(text.utf8), mode: mode)
  }
}

extension LockMonitor {
  /// Waits for a state. Returns whether the state was reached.
  func becomes(_ wanted: LockState) -> Bool {
    wait(milliseconds: TestTimeout.seconds * 1000) { $0.state == wanted }
    return state == wanted
  }

  /// Waits for a decisive reason that meets a condition, and returns the last reason.
  func reason(_ isWanted: (LockReason) -> Bool) -> LockReason {
    wait(milliseconds: TestTimeout.seconds * 1000) { isWanted($0.decidingReport.reason) }
    return decidingReport.reason
  }
}
