// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SystemBus

/// The properties of this process and machine that the lock depends on. Tests replace them.
package struct LockEnvironment: Sendable {
  /// The D-Bus address of the system bus.
  package var busAddress: String
  /// The logind session of this process (`XDG_SESSION_ID`).
  package var sessionID: String?
  /// The UID of the user.
  package var user: UInt32
  /// The ID of this boot.
  package var boot: String?

  /// Creates an environment.
  package init(busAddress: String, sessionID: String?, user: UInt32, boot: String?) {
    self.busAddress = busAddress
    self.sessionID = sessionID
    self.user = user
    self.boot = boot
  }

  /// The environment of this process.
  package static var current: LockEnvironment { LockEnvironment { CurrentProcess.environment($0) } }

  /// Creates an environment from environment variables.
  package init(environment: (String) -> String?) {
    self.init(
      busAddress: BusConnection.systemAddress(environment),
      sessionID: environment("XDG_SESSION_ID").flatMap { $0.isEmpty ? nil : $0 },
      user: CurrentProcess.userID,
      boot: BootID.current
    )
  }
}
