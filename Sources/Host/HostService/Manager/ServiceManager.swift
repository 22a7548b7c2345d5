// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The service manager that has started this process, if one has (sd_notify(3)): it is told how the server stands, and
/// regularly that the server is alive.
package struct ServiceManager: Sendable, Hashable {
  private let socket: String?
  /// How often it wants to hear of the server, in nanoseconds; nil: never.
  package let interval: UInt64?

  /// The manager that the environment names. Half of the time after which it would lose patience is the interval.
  package init(environment: (String) -> String?, process: Int32 = CurrentProcess.processID) {
    let named = environment("NOTIFY_SOCKET") ?? ""
    socket = named.hasPrefix("/") || named.hasPrefix("@") ? named : nil
    let isMeant = environment("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
    let microseconds = environment("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
    // An hour is as good as never, and so is what no clock can add.
    interval = isMeant && socket != nil && microseconds > 0 ? min(microseconds, 3_600_000_000) * 500 : nil
  }

  /// How the server stands.
  package enum Standing: String, Sendable {
    /// It takes clients.
    case ready = "READY=1"
    /// It is about to end.
    case stopping = "STOPPING=1"
    /// It is alive.
    case alive = "WATCHDOG=1"
  }

  /// Tells the manager; one that does not listen hears nothing.
  package func tell(_ standing: Standing) {
    guard let socket else { return }
    try? LocalSocket.send(Array(standing.rawValue.utf8), to: socket)
  }
}
