// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Reads from the memory of another process (process_vm_readv(2)).
package enum RemoteMemory {
  /// Returns up to `count` bytes at an address, as many as are readable.
  ///
  /// The process can change the memory at any time and may try to mislead the reader. Use the bytes only in
  /// messages.
  package static func read(thread: Int32, address: UInt64, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { buffer in
      var local = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      // The kernel reads each part completely or not at all, so each page is a separate part.
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
