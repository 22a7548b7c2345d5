// SPDX-License-Identifier: Apache-2.0

internal import CLinux

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
