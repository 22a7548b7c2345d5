// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A file descriptor that is closed with its owner.
///
/// Every descriptor that this package creates is close-on-exec.
@frozen
package struct Descriptor: ~Copyable, Sendable {
  /// The descriptor number, valid as long as this value lives.
  package let rawValue: Int32

  /// Takes ownership of a descriptor, which no other code may close.
  package init(owning rawValue: Int32) { self.rawValue = rawValue }

  deinit { _ = CLinux.close(rawValue) }

  /// Releases ownership and returns the descriptor number. The caller must close the descriptor.
  package consuming func release() -> Int32 {
    let raw = rawValue
    discard self
    return raw
  }

  /// Returns a duplicate with the lowest free number from `lowest` on. The corresponding command is
  /// `F_DUPFD_CLOEXEC`.
  package borrowing func duplicate(atLeast lowest: Int = 3) throws(SystemCallError) -> Descriptor {
    try Self.duplicate(ofNumber: rawValue, atLeast: lowest)
  }

  /// Returns a duplicate of a descriptor that the caller does not own.
  package static func duplicate(ofNumber raw: Int32, atLeast lowest: Int = 3) throws(SystemCallError)
    -> Descriptor
  {
    Descriptor(owning: try check("fcntl") { darkroom_fcntl(raw, F_DUPFD_CLOEXEC, lowest) })
  }

  /// Makes reads and writes fail with `EAGAIN` instead of waiting. The corresponding flag is `O_NONBLOCK`.
  package borrowing func setNonBlocking() throws(SystemCallError) {
    let raw = rawValue
    let flags = try check("fcntl") { darkroom_fcntl(raw, F_GETFL, 0) }
    try check("fcntl") { darkroom_fcntl(raw, F_SETFL, Int(flags | O_NONBLOCK)) }
  }

  /// Makes reads and writes wait.
  package borrowing func setBlocking() throws(SystemCallError) {
    let raw = rawValue
    let flags = try check("fcntl") { darkroom_fcntl(raw, F_GETFL, 0) }
    try check("fcntl") { darkroom_fcntl(raw, F_SETFL, Int(flags & ~O_NONBLOCK)) }
  }
}

/// The result of one read.
package enum ReadOutcome: Equatable, Sendable {
  /// The number of bytes, at least one.
  case bytes(Int)
  /// The end: the other side has closed.
  case end
  /// No data is available, and the descriptor is nonblocking.
  case wouldBlock
}

extension Descriptor {
  /// Reads once into `buffer` (read(2)).
  package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError)
    -> ReadOutcome
  {
    let raw = rawValue
    do {
      let count = try check("read") { CLinux.read(raw, buffer.baseAddress, buffer.count) }
      return count == 0 ? .end : .bytes(count)
    } catch {
      if error.errno == .wouldBlock { return .wouldBlock }
      throw error
    }
  }

  /// Reads once from a descriptor that the caller does not own. Returns the number of bytes, or `nil` at the
  /// end or on failure.
  package static func readOnce(_ raw: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = CLinux.read(raw, buffer.baseAddress, buffer.count)
    return count > 0 ? count : nil
  }

  /// Returns all bytes up to the end, or `nil` if there are more than `limit` bytes.
  package borrowing func readAll(limit: Int) throws(SystemCallError) -> [UInt8]? {
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16384, alignment: 16)
    defer { chunk.deallocate() }
    var bytes: [UInt8] = []
    while case .bytes(let count) = try read(into: chunk) {
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > limit { return nil }
    }
    return bytes
  }

  /// Writes as many bytes as possible (write(2)). Returns the number of bytes, or `nil` if none can be
  /// written now.
  package borrowing func write(_ buffer: UnsafeRawBufferPointer) throws(SystemCallError) -> Int? {
    let raw = rawValue
    do {
      return try check("write") { CLinux.write(raw, buffer.baseAddress, buffer.count) }
    } catch {
      if error.errno == .wouldBlock { return nil }
      throw error
    }
  }

  /// Writes as many bytes as possible (write(2)). Returns the number of bytes, or `nil` if none can be
  /// written now.
  package borrowing func write(_ bytes: ArraySlice<UInt8>) throws(SystemCallError) -> Int? {
    let raw = rawValue
    do {
      return try check("write") { bytes.withUnsafeBytes { CLinux.write(raw, $0.baseAddress, $0.count) } }
    } catch {
      if error.errno == .wouldBlock { return nil }
      throw error
    }
  }

  /// Writes all bytes, waiting as long as necessary. The descriptor must be blocking.
  package borrowing func writeAll(_ bytes: [UInt8]) throws(SystemCallError) {
    try Self.write(bytes, toNumber: rawValue)
  }

  /// Writes all bytes to a descriptor that the caller does not own, for example standard error.
  package static func write(_ bytes: [UInt8], toNumber raw: Int32) throws(SystemCallError) {
    var offset = 0
    while offset < bytes.count {
      offset += try check("write") {
        bytes.withUnsafeBytes {
          CLinux.write(raw, $0.baseAddress?.advanced(by: offset), bytes.count - offset)
        }
      }
    }
  }

  /// Writes all bytes at an offset of the file, without a change of the file position (pwrite(2)).
  package borrowing func writeAll(_ bytes: [UInt8], at start: Int) throws(SystemCallError) {
    let raw = rawValue
    var offset = 0
    while offset < bytes.count {
      offset += try check("pwrite") {
        bytes.withUnsafeBytes {
          pwrite(raw, $0.baseAddress?.advanced(by: offset), bytes.count - offset, start + offset)
        }
      }
    }
  }

  /// Makes written data durable (fsync(2)).
  package borrowing func synchronize() throws(SystemCallError) {
    let raw = rawValue
    try check("fsync") { fsync(raw) }
  }
}

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

extension Descriptor {
  /// Moves the file offset to the first byte (lseek(2)).
  package borrowing func rewind() throws(SystemCallError) {
    let raw = rawValue
    try check("lseek") { lseek(raw, 0, SEEK_SET) }
  }
}
