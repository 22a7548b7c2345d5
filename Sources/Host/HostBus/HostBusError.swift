// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The reason why the D-Bus service could not be started.
package enum HostBusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The message bus cannot be reached.
  case bus(SystemCallError)
  /// Another process owns the name of the service.
  case nameOwned(String)
  /// A system call failed.
  case system(SystemCallError)

  /// A sentence with the problem and the fix.
  package var description: String {
    switch self {
    case .bus(let error):
      "the message bus cannot be reached: \(error); set DBUS_SESSION_BUS_ADDRESS to the address of a session bus"
    case .nameOwned(let name):
      "another process owns the bus name \(name); stop that process: systemctl --user stop darkroom"
    case .system(let error): "the D-Bus service cannot be started: \(error)"
    }
  }
}
