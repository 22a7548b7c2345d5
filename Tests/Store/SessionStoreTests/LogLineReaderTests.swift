// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import SessionStore

/// Reading the lines of a file in chunks from either end.
@Suite struct LogLineReaderTests {
  /// Line lengths that end before, at and after the boundaries of the chunks of backward reading: 4 KiB, then
  /// 64 KiB.
  private static let lengths = [0, 1, 4094, 4095, 4096, 5000, 65535, 65536, 69_632, 200_000, 3]

  private static func line(_ index: Int, _ length: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "a") + UInt8(index % 26), count: length)
  }

  @Test(arguments: [0, 1, 4095, 4096, 70_000], [false, true])
  func `reads lines of any length from both ends`(torn: Int, isReversed: Bool) throws {
    let lengths = isReversed ? Self.lengths.reversed() : Self.lengths
    let lines = lengths.enumerated().map { Self.line($0, $1) }
    let rest = [UInt8](repeating: UInt8(ascii: "-"), count: torn)
    let store = try TemporaryStore()
    let path = "\(store.outside)/lines"
    try FileSystem.open(path, [.write, .create]).writeAll(lines.flatMap { $0 + [UInt8(ascii: "\n")] } + rest)

    var backwards = try BackwardLineReader(FileSystem.open(path, []))
    #expect(backwards.torn == rest)
    var found: [[UInt8]] = []
    while let line = try backwards.next() { found.append(line) }
    #expect(found.reversed() == lines)

    var forwards = try ForwardLineReader(FileSystem.open(path, []))
    found = []
    while let line = try forwards.next() { found.append(line) }
    #expect(found == lines && forwards.rest == rest)
  }

  @Test(arguments: ["", "no line break"])
  func `returns no line without a line break`(text: String) throws {
    let store = try TemporaryStore()
    let path = "\(store.outside)/lines"
    try FileSystem.open(path, [.write, .create]).writeAll(Array(text.utf8))
    var lines = try BackwardLineReader(FileSystem.open(path, []))
    #expect(try lines.torn == Array(text.utf8) && lines.next() == nil)
  }
}
