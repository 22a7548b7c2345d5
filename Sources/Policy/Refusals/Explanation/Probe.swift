// SPDX-License-Identifier: Apache-2.0

/// A call that libraries make to detect a feature, and whose failure they expect.
///
/// A probe is refused like any other call and is part of the record. The kind of probe determines only how
/// much a command prints.
package enum Probe: String, CaseIterable, Sendable, Hashable {
  /// The C library queries the name service cache daemon for a user or group (nscd(8)) before it reads
  /// `/etc/passwd`.
  case nameService
  /// The C library opens the socket of syslog(3).
  case systemLog
  /// A library lists network interfaces (rtnetlink(7)).
  case networkInterfaces
  /// A library listens for device events (netlink(7), `NETLINK_KOBJECT_UEVENT`).
  case deviceEvents
  /// A program tests whether a descriptor is a socket.
  case socketQuery
  /// A thread changes the scheduling of another thread or process.
  case scheduling
  /// A program drops supplementary groups, of which it has none.
  case groups

  /// Creates the probe for a call, or returns `nil` if the program needs the call itself.
  package init?(call: String, arguments: [UInt64]) {
    let words = (0..<3).map { arguments.indices.contains($0) ? UInt32(truncatingIfNeeded: arguments[$0]) : 0 }
    switch call {
    case "socket":
      guard let probe = Self.socket(family: words[0], type: words[1], protocol: words[2]) else { return nil }
      self = probe
    case "getsockname", "getpeername", "getsockopt": self = .socketQuery
    case "sched_setattr", "sched_setscheduler", "sched_setparam", "sched_setaffinity", "setpriority",
      "ioprio_set":
      self = .scheduling
    case "setgroups": self = .groups
    default: return nil
    }
  }

  /// Returns the probe that a socket is used for, or `nil` if its family, type and protocol do not identify
  /// one.
  private static func socket(family: UInt32, type: UInt32, protocol number: UInt32) -> Probe? {
    let (stream, datagram, closeOnExec, nonBlocking): (UInt32, UInt32, UInt32, UInt32) = (
      1, 2, 0x80000, 0x800
    )
    return switch (family, type, number) {
    // AF_UNIX
    case (1, stream | closeOnExec | nonBlocking, 0): .nameService
    case (1, datagram | closeOnExec, 0): .systemLog
    // AF_NETLINK with NETLINK_ROUTE and NETLINK_KOBJECT_UEVENT
    case (16, _, 0): .networkInterfaces
    case (16, _, 15): .deviceEvents
    default: nil
    }
  }
}
