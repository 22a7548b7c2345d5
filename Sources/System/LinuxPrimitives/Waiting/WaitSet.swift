// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A set of descriptors that can be waited for as one descriptor (epoll(7)).
package struct WaitSet: ~Copyable, Sendable {
  /// The descriptor, which is readable while any member is ready. It can be used with ``Poller``.
  package let descriptor: Descriptor

  private init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Creates an empty set.
  package static func make() throws(SystemCallError) -> WaitSet {
    WaitSet(owning: Descriptor(owning: try check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }))
  }

  /// Adds a descriptor, or changes its events. Closing the descriptor removes it unless it was duplicated.
  package borrowing func watch(_ watched: Int32, _ interest: Readiness = .readable) throws(SystemCallError) {
    let raw = descriptor.rawValue
    var event = epoll_event()
    // The bits of epoll(7) are those of poll(2).
    event.events = UInt32(UInt16(bitPattern: interest.rawValue))
    event.data.fd = watched
    do {
      try check("epoll_ctl") { epoll_ctl(raw, EPOLL_CTL_ADD, watched, &event) }
    } catch  where error.errno == .fileExists {
      try check("epoll_ctl") { epoll_ctl(raw, EPOLL_CTL_MOD, watched, &event) }
    }
  }

  /// Removes a descriptor. A descriptor that is not in the set is not an error.
  package borrowing func forget(_ watched: Int32) {
    _ = epoll_ctl(descriptor.rawValue, EPOLL_CTL_DEL, watched, nil)
  }
}
