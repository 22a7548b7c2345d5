// SPDX-License-Identifier: Apache-2.0

/// A call by which libraries find out what they may use, and whose failure they expect.
///
/// A probe is refused like any other call, and the record contains it. The kind of probe decides only how much a command prints.
package enum Probe: String, CaseIterable, Sendable, Hashable {
  /// The C library asks the name service cache daemon for a user or group (nscd(8)), before it reads `/etc/passwd`.
  case nameService
  /// The C library opens the socket of syslog(3).
  case systemLog
  /// A library lists network interfaces (rtnetlink(7)).
  case networkInterfaces
  /// A library listens for devices that come and go (netlink(7), `NETLINK_KOBJECT_UEVENT`).
  case deviceEvents
  /// A program asks whether one of its descriptors is a socket.
  case socketQuery
  /// A thread changes how another thread or process is scheduled.
  case scheduling
  /// A program gives up supplementary groups, of which it has none.
  case groups

  /// Returns the probe that a call with these arguments is, or `nil` if the program needs the call itself.
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

  /// Returns what a socket is made for, if its family, type and protocol tell that together.
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
