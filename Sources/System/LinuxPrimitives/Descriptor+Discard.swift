// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Reads once from a readable descriptor that the caller does not own, and discards the data.
  package static func discardReadable(_ raw: Int32) throws(SystemCallError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
    defer { buffer.deallocate() }
    do {
      try check("read") { CLinux.read(raw, buffer.baseAddress, buffer.count) }
    } catch {
      if error.errno != .wouldBlock { throw error }
    }
  }
}
