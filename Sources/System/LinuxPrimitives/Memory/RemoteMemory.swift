// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The memory of another process (process_vm_readv(2)).
package enum RemoteMemory {
  /// Reads so many bytes, or as many as can be read from there; none if nothing can.
  ///
  /// What is read may be changed meanwhile, and may have been made to mislead: it is good for messages only.
  package static func read(thread: Int32, address: UInt64, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { buffer in
      var local = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      // The kernel reads a part whole or not at all, so each page is a part of its own.
      let parts = pages(address, count)
      return process_vm_readv(thread, &local, 1, parts, UInt(parts.count), 0)
    }
    return Array(bytes.prefix(max(0, got)))
  }

  private static func pages(_ address: UInt64, _ count: Int) -> [iovec] {
    var parts: [iovec] = []
    var at = address
    let (end, overflow) = address.addingReportingOverflow(UInt64(count))
    guard !overflow else { return [] }
    while at < end {
      let next = min(end, (at / pageSize + 1) * pageSize)
      parts.append(iovec(iov_base: UnsafeMutableRawPointer(bitPattern: UInt(at)), iov_len: Int(next - at)))
      at = next
    }
    return parts
  }

  /// A divisor of every page size.
  private static let pageSize: UInt64 = 4096
}
