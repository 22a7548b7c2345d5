// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Reads lines from a pipe and waits for each line.
struct PipeLineReader {
  private let descriptor: Int32
  private var bytes: [UInt8] = []

  /// Creates a reader. The caller keeps the descriptor open.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Returns the next line. The test fails if no line arrives.
  mutating func next() throws -> String {
    let deadline = TestTimeout.deadline
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      if let end = bytes.firstIndex(of: 0x0A) {
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      let ready = try Poller.wait([(descriptor, .readable)], until: deadline)
      try #require(ready.first == .readable, "no line came")
      guard case .bytes(let count) = try Descriptor.duplicate(of: descriptor).read(into: chunk) else {
        continue
      }
      bytes += chunk[..<count]
    }
  }
}
