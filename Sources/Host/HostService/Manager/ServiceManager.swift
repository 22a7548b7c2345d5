// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The service manager that started this process, if any (sd_notify(3)). It is notified of the server's
/// state, and regularly that the server is alive.
package struct ServiceManager: Sendable, Hashable {
  private let socket: String?
  /// The interval of keepalive notifications in nanoseconds, or `nil` if the manager does not expect them.
  package let interval: UInt64?

  /// Creates the manager that the environment names. The interval is half of the watchdog timeout.
  package init(environment: (String) -> String?, process: Int32 = CurrentProcess.processID) {
    let named = environment("NOTIFY_SOCKET") ?? ""
    socket = named.hasPrefix("/") || named.hasPrefix("@") ? named : nil
    let isAddressed = environment("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
    let microseconds = environment("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
    // Values are limited to one hour, so that the multiplication does not overflow.
    interval = isAddressed && socket != nil && microseconds > 0 ? min(microseconds, 3_600_000_000) * 500 : nil
  }

  /// The states of the server as the notification protocol names them.
  package enum State: String, Sendable {
    /// The server accepts clients.
    case ready = "READY=1"
    /// The server is stopping.
    case stopping = "STOPPING=1"
    /// The server is alive (watchdog keepalive).
    case alive = "WATCHDOG=1"
  }

  /// Notifies the manager of a state. Errors are ignored.
  package func notify(_ state: State) {
    guard let socket else { return }
    try? LocalSocket.send(Array(state.rawValue.utf8), to: socket)
  }
}
