// SPDX-License-Identifier: Apache-2.0

internal import CLinux

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
