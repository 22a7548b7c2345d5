// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Reads once into `first` and, if more data is available, into `second` (readv(2)).
  package borrowing func read(
    into first: UnsafeMutableRawBufferPointer,
    then second: UnsafeMutableRawBufferPointer
  ) throws(SystemCallError) -> ReadOutcome {
    let raw = rawValue
    var parts = [
      iovec(iov_base: first.baseAddress, iov_len: first.count),
      iovec(iov_base: second.baseAddress, iov_len: second.count),
    ]
    do {
      let count = try check("readv") { readv(raw, &parts, 2) }
      return count == 0 ? .end : .bytes(count)
    } catch {
      if error.errno == .wouldBlock { return .wouldBlock }
      throw error
    }
  }

  /// Returns a duplicate of a descriptor that the caller does not own, for example standard input. The
  /// corresponding command is `F_DUPFD_CLOEXEC`.
  package static func duplicate(of raw: Int32) throws(SystemCallError) -> Descriptor {
    Descriptor(owning: try check("fcntl") { darkroom_fcntl(raw, F_DUPFD_CLOEXEC, 3) })
  }
}

extension Descriptor {
  /// Returns up to `count` bytes from an offset of the file. Fewer bytes are returned only at the end of the
  /// file (pread(2)).
  package borrowing func bytes(at offset: Int64, count: Int) throws(SystemCallError) -> [UInt8] {
    let raw = rawValue
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = try check("pread") {
        bytes.withUnsafeMutableBytes {
          pread(raw, $0.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
        }
      }
      if got == 0 { break }
      filled += got
    }
    return filled == count ? bytes : Array(bytes[..<filled])
  }
}
