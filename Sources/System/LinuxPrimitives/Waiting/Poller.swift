// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The events that a descriptor is polled for, or that were found (poll(2)).
///
/// A loop uses this type some dozen times per iteration. The generic option set operations of the standard
/// library are not specialized across modules, so the most frequent operations are defined here.
package struct Readiness: OptionSet, Sendable {
  /// The kernel's bits.
  package let rawValue: Int16
  /// Creates a value from the kernel's bits.
  package init(rawValue: Int16) { self.rawValue = rawValue }
  /// Creates an empty value.
  package init() { self.init(rawValue: 0) }
  /// Creates a value from an array literal.
  package init(arrayLiteral elements: Readiness...) {
    self.init(rawValue: elements.reduce(0) { $0 | $1.rawValue })
  }

  /// Whether there are no events.
  package var isEmpty: Bool { rawValue == 0 }
  /// Returns whether all given events are included.
  package func contains(_ member: Readiness) -> Bool { rawValue & member.rawValue == member.rawValue }

  /// Data or the end can be read. The corresponding flag is `POLLIN`.
  package static var readable: Readiness { Readiness(rawValue: Int16(POLLIN)) }
  /// An exceptional condition of the device. The corresponding flag is `POLLPRI`.
  package static var urgent: Readiness { Readiness(rawValue: Int16(POLLPRI)) }
  /// Data can be written. The corresponding flag is `POLLOUT`.
  package static var writable: Readiness { Readiness(rawValue: Int16(POLLOUT)) }
  /// The other side has closed. The corresponding flag is `POLLHUP`.
  package static var hangUp: Readiness { Readiness(rawValue: Int16(POLLHUP)) }
  /// An error, or for the write end of a pipe, no reader. The corresponding flag is `POLLERR`.
  package static var error: Readiness { Readiness(rawValue: Int16(POLLERR)) }
}

/// Waits for several descriptors.
package enum Poller {
  /// Waits until a descriptor is ready, or until `deadline` (``MonotonicClock``; `nil` means no deadline).
  ///
  /// Returns the events in the order of `watched`. Negative descriptors are skipped.
  package static func wait(
    _ watched: [(descriptor: Int32, interest: Readiness)],
    until deadline: UInt64? = nil
  ) throws(SystemCallError) -> [Readiness] {
    var list = watched.map { pollfd(fd: $0.descriptor, events: $0.interest.rawValue, revents: 0) }
    while true {
      let count = ppollOnce(&list, until: deadline)
      if count >= 0 { return list.map { Readiness(rawValue: $0.revents) } }
      if Errno.current != .interrupted { throw SystemCallError("ppoll") }
    }
  }

  /// Returns whether a descriptor has hung up or has an error or exceptional condition, without waiting.
  package static func hasException(_ descriptor: Int32) throws(SystemCallError) -> Bool {
    try events(of: descriptor, Readiness(rawValue: 0)).rawValue != 0
  }

  /// Returns the current events of a descriptor, without waiting. Hang-up and errors are always included.
  package static func events(of descriptor: Int32, _ interest: Readiness) throws(SystemCallError) -> Readiness
  {
    var watched = pollfd(fd: descriptor, events: interest.rawValue, revents: 0)
    try check("poll") { poll(&watched, 1, 0) }
    return Readiness(rawValue: watched.revents)
  }

  private static func ppollOnce(_ list: inout [pollfd], until deadline: UInt64?) -> Int32 {
    guard let deadline else { return ppoll(&list, nfds_t(list.count), nil, nil) }
    let now = MonotonicClock.now
    let left = deadline > now ? deadline - now : 0
    var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
    return ppoll(&list, nfds_t(list.count), &time, nil)
  }
}
