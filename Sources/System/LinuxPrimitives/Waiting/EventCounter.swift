// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A counter that can be waited for (eventfd(2)).
package enum EventCounter {
  /// Creates a nonblocking counter with the value zero.
  package static func make() throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
  }

  /// Adds to a counter. A full counter stays full: it has not been read for a very long time.
  package static func add(_ amount: UInt64 = 1, to descriptor: borrowing Descriptor) throws(SystemCallError) {
    var value = amount
    _ = try withUnsafeBytes(of: &value) { bytes throws(SystemCallError) in try descriptor.write(bytes) }
  }

  /// Returns the value of the counter and resets it to zero.
  package static func take(_ descriptor: borrowing Descriptor) throws(SystemCallError) -> UInt64 {
    var value: UInt64 = 0
    let outcome = try withUnsafeMutableBytes(of: &value) { bytes throws(SystemCallError) in
      try descriptor.read(into: bytes)
    }
    return outcome == .wouldBlock ? 0 : value
  }
}

extension EventCounter {
  /// Returns the value of a counter that an untrusted process shares, and resets it to zero.
  ///
  /// The other process can clear `O_NONBLOCK`, which belongs to the shared open file description. This call
  /// never waits regardless (preadv2(2) with `RWF_NOWAIT`).
  package static func takeShared(_ descriptor: borrowing Descriptor) throws(SystemCallError) -> UInt64 {
    let raw = descriptor.rawValue
    var value: UInt64 = 0
    do {
      try check("preadv2") {
        withUnsafeMutableBytes(of: &value) { bytes in
          var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
          return preadv2(raw, &part, 1, -1, RWF_NOWAIT)
        }
      }
    } catch  where error.errno == .wouldBlock {
      return 0
    }
    return value
  }
}
