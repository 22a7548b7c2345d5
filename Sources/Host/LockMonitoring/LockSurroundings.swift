// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// What the lock depends on of this process and this machine; tests give it others.
package struct LockSurroundings: Sendable {
  /// The address of the system bus, as the D-Bus specification has it.
  package var busAddress: String
  /// The session that this process is in (`XDG_SESSION_ID`).
  package var sessionID: String?
  /// The person.
  package var user: UInt32
  /// The name of this boot.
  package var boot: String?

  /// Makes surroundings.
  package init(busAddress: String, sessionID: String?, user: UInt32, boot: String?) {
    self.busAddress = busAddress
    self.sessionID = sessionID
    self.user = user
    self.boot = boot
  }

  /// Those of this process.
  package static var current: LockSurroundings { LockSurroundings { CurrentProcess.environment($0) } }

  /// Those that an environment names.
  package init(environment: (String) -> String?) {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    self.init(
      busAddress: variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket",
      sessionID: variable("XDG_SESSION_ID"),
      user: CurrentProcess.userID,
      boot: BootName.current
    )
  }
}
