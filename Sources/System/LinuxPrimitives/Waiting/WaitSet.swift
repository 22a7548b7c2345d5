// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Descriptors that can be waited for as if they were one (epoll(7)).
package struct WaitSet: ~Copyable, Sendable {
  /// Readable as long as any of them is ready; it can be given to ``Poller``, too.
  package let descriptor: Descriptor

  private init(owning descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// An empty set.
  package static func make() throws(SystemCallError) -> WaitSet {
    WaitSet(owning: Descriptor(owning: try check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }))
  }

  /// Watches a descriptor, or changes what it is watched for. Closing it takes it out, unless it was duplicated.
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

  /// Takes a descriptor out of the set; one that is not in it is no error.
  package borrowing func forget(_ watched: Int32) {
    _ = epoll_ctl(descriptor.rawValue, EPOLL_CTL_DEL, watched, nil)
  }
}
