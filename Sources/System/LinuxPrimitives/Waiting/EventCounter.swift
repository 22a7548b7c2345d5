// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A counter that can be waited for (eventfd(2)).
package enum EventCounter {
  /// Makes a counter at zero; reading and writing do not wait.
  package static func make() throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
  }

  /// Adds to a counter. One that is full stays full: nobody has been reading it for a very long time.
  package static func add(_ amount: UInt64 = 1, to descriptor: borrowing Descriptor) throws(SystemCallError) {
    var value = amount
    _ = try withUnsafeBytes(of: &value) { bytes throws(SystemCallError) in try descriptor.write(bytes) }
  }

  /// Takes what the counter holds, leaving zero.
  package static func take(_ descriptor: borrowing Descriptor) throws(SystemCallError) -> UInt64 {
    var value: UInt64 = 0
    let outcome = try withUnsafeMutableBytes(of: &value) { bytes throws(SystemCallError) in
      try descriptor.read(into: bytes)
    }
    return outcome == .wouldBlock ? 0 : value
  }
}
