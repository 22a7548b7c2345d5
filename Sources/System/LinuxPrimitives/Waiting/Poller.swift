// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What a descriptor is watched for, and what was found (poll(2)).
///
/// A loop asks for it some dozen times a turn. What the standard library has for all option sets is not made for this one where another
/// module calls it, so what is asked most stands here.
package struct Readiness: OptionSet, Sendable {
  /// The kernel's bits.
  package let rawValue: Int16
  /// Wraps the kernel's bits.
  package init(rawValue: Int16) { self.rawValue = rawValue }
  /// None of them.
  package init() { self.init(rawValue: 0) }
  /// All of these.
  package init(arrayLiteral elements: Readiness...) {
    self.init(rawValue: elements.reduce(0) { $0 | $1.rawValue })
  }

  /// Whether it is none of them.
  package var isEmpty: Bool { rawValue == 0 }
  /// Whether all of these are in it.
  package func contains(_ member: Readiness) -> Bool { rawValue & member.rawValue == member.rawValue }

  /// There is something to read, or the end. The corresponding flag is `POLLIN`.
  package static var readable: Readiness { Readiness(rawValue: Int16(POLLIN)) }
  /// Something out of the ordinary has happened, as a device says it. The corresponding flag is `POLLPRI`.
  package static var urgent: Readiness { Readiness(rawValue: Int16(POLLPRI)) }
  /// There is room to write. The corresponding flag is `POLLOUT`.
  package static var writable: Readiness { Readiness(rawValue: Int16(POLLOUT)) }
  /// The other side has closed. The corresponding flag is `POLLHUP`.
  package static var hangUp: Readiness { Readiness(rawValue: Int16(POLLHUP)) }
  /// The descriptor is in error; for the write end of a pipe: nobody reads any more. The flag is `POLLERR`.
  package static var error: Readiness { Readiness(rawValue: Int16(POLLERR)) }
}

/// Waiting for a handful of descriptors at once.
package enum Poller {
  /// Waits until one of the descriptors is ready, or the time `deadline` (``MonotonicClock``, nil: for ever) comes.
  ///
  /// Returns what was found, in the order of `watched`. A negative descriptor is skipped.
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

  /// Whether a descriptor has hung up, is in error or has something out of the ordinary to tell; nothing is waited for.
  package static func hasException(_ descriptor: Int32) throws(SystemCallError) -> Bool {
    try events(of: descriptor, Readiness(rawValue: 0)).rawValue != 0
  }

  /// What one descriptor has at this moment; nothing is waited for. Hang-up and errors are always looked for.
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
