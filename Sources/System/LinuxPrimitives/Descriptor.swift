// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A file descriptor that is closed when its owner goes away.
///
/// Every descriptor that this package makes is close-on-exec.
@frozen
package struct Descriptor: ~Copyable, Sendable {
  /// The number, valid as long as this value lives.
  package let rawValue: Int32

  /// Takes over a descriptor that nobody else will close.
  package init(owning rawValue: Int32) { self.rawValue = rawValue }

  deinit { _ = CLinux.close(rawValue) }

  /// Gives the descriptor away; the caller closes it.
  package consuming func release() -> Int32 {
    let raw = rawValue
    discard self
    return raw
  }

  /// A second descriptor of the same open file, with the lowest free number from `lowest` on. The corresponding
  /// command is `F_DUPFD_CLOEXEC`.
  package borrowing func duplicate(atLeast lowest: Int = 3) throws(SystemCallError) -> Descriptor {
    try Self.duplicate(ofNumber: rawValue, atLeast: lowest)
  }

  /// The same of a descriptor that somebody else owns.
  package static func duplicate(ofNumber raw: Int32, atLeast lowest: Int = 3) throws(SystemCallError)
    -> Descriptor
  {
    Descriptor(owning: try check("fcntl") { darkroom_fcntl(raw, F_DUPFD_CLOEXEC, lowest) })
  }

  /// Makes reads and writes return `EAGAIN` where they would wait. The corresponding flag is `O_NONBLOCK`.
  package borrowing func setNonBlocking() throws(SystemCallError) {
    let raw = rawValue
    let flags = try check("fcntl") { darkroom_fcntl(raw, F_GETFL, 0) }
    try check("fcntl") { darkroom_fcntl(raw, F_SETFL, Int(flags | O_NONBLOCK)) }
  }

  /// Makes reads and writes wait again.
  package borrowing func setBlocking() throws(SystemCallError) {
    let raw = rawValue
    let flags = try check("fcntl") { darkroom_fcntl(raw, F_GETFL, 0) }
    try check("fcntl") { darkroom_fcntl(raw, F_SETFL, Int(flags & ~O_NONBLOCK)) }
  }
}

/// What one read brought.
package enum ReadOutcome: Equatable, Sendable {
  /// So many bytes, at least one.
  case bytes(Int)
  /// The other side has closed.
  case end
  /// Nothing yet, and the descriptor does not wait.
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

  /// Reads once from a descriptor that somebody else owns, and gives how much there was; nil if there was nothing, or
  /// no reading is possible.
  package static func readOnce(_ raw: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let count = CLinux.read(raw, buffer.baseAddress, buffer.count)
    return count > 0 ? count : nil
  }

  /// Reads to the end, but not more than `limit` bytes; nil if there is more.
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

  /// Writes as much as the other side takes (write(2)); nil if it takes nothing now.
  package borrowing func write(_ buffer: UnsafeRawBufferPointer) throws(SystemCallError) -> Int? {
    let raw = rawValue
    do {
      return try check("write") { CLinux.write(raw, buffer.baseAddress, buffer.count) }
    } catch {
      if error.errno == .wouldBlock { return nil }
      throw error
    }
  }

  /// Writes as much of `bytes` as the other side takes (write(2)); nil if it takes nothing now.
  package borrowing func write(_ bytes: ArraySlice<UInt8>) throws(SystemCallError) -> Int? {
    let raw = rawValue
    do {
      return try check("write") { bytes.withUnsafeBytes { CLinux.write(raw, $0.baseAddress, $0.count) } }
    } catch {
      if error.errno == .wouldBlock { return nil }
      throw error
    }
  }

  /// Writes all of `bytes`, waiting as long as it takes. For descriptors that wait.
  package borrowing func writeAll(_ bytes: [UInt8]) throws(SystemCallError) {
    try Self.write(bytes, toNumber: rawValue)
  }

  /// Writes all of `bytes` to a descriptor that somebody else owns, for example standard error.
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

  /// Makes what was written durable (fsync(2)).
  package borrowing func synchronize() throws(SystemCallError) {
    let raw = rawValue
    try check("fsync") { fsync(raw) }
  }
}
