// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import CaptureHost

@Suite struct OutputLogTests {
  /// Returns a log of a text that was written to a pipe, which is then closed.
  private func log(_ text: String, file: borrowing Descriptor, limit: Int = 1000, echo: Int32?) throws
    -> OutputLog
  {
    SignalDescriptor.reportFailedWrites()
    let pipe = try Pipe.make()
    try pipe.writeEnd.writeAll(Array(text.utf8))
    let copy = try file.duplicate()
    let open = { () throws(SystemCallError) in try copy.duplicate() }
    let log = try OutputLog(reading: pipe.takeReadEnd(), to: open, limit: limit, echo: echo)
    try log.receive()
    return log
  }

  @Test func `creates the log file at the first message`() throws {
    let path = "/tmp/darkroom-log-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(path) }
    let open = { () throws(SystemCallError) in try FileSystem.open(path, [.write, .create, .append]) }
    let log = try OutputLog(reading: Pipe.make().takeReadEnd(), to: open, limit: 100, echo: nil)
    try log.receive()
    #expect(try FileSystem.status(path) == nil)
    log.note("one")
    log.note("two")
    #expect(try FileSystem.contents(path) == Array("one\ntwo\n".utf8))
  }

  @Test func `continues the log after the terminal has closed`() throws {
    let file = try MemoryFile.make(name: "log", size: 0)
    let gone = try Pipe.make().takeWriteEnd()
    let log = try log("hello\n", file: file, echo: gone.rawValue)
    log.note("and more")
    try file.rewind()
    #expect(try file.readAll(limit: 100) == Array("hello\nand more\n".utf8))
    #expect(log.failure == nil)
  }

  @Test func `reports a log write error and still echoes the output`() throws {
    let full = try FileSystem.open("/dev/full", .write)
    let echo = try Pipe.make()
    let log = try log("hello\n", file: full, echo: echo.writeEnd.rawValue)
    #expect(log.failure?.errno == .noSpace)
    let shown = echo.takeReadEnd()
    #expect(try shown.readAll(limit: 100) == Array("hello\n".utf8))
    #expect(log.tail == "hello\n")
  }

  @Test func `keeps the raw output in the log and escapes control characters in the echo`() throws {
    let file = try MemoryFile.make(name: "log", size: 0)
    let echo = try Pipe.make()
    let text = "\u{1B}]0;owned\u{7} né\u{9B}x\r\n\tend\u{7F}"
    _ = try log(text, file: file, echo: echo.writeEnd.rawValue)
    try file.rewind()
    #expect(try file.readAll(limit: 100) == Array(text.utf8))
    let shown = echo.takeReadEnd()
    let expected = "\\x1b]0;owned\\x07 né\\x9bx\\x0d\n\tend\\x7f"
    #expect(try String(decoding: shown.readAll(limit: 100) ?? [], as: UTF8.self) == expected)
  }

  @Test func `escapes a control character that is split between two reads and keeps letters`() {
    var filter = TerminalFilter()
    #expect(filter.filter([0x61, 0xC2]) == [0x61])
    #expect(filter.filter([0x9B]) == Array("\\x9b".utf8))
    #expect(filter.filter([0xC2]) == [])
    #expect(filter.filter([0xA9]) == [0xC2, 0xA9])
  }

  @Test func `stops writing at the limit and counts all bytes`() throws {
    let file = try MemoryFile.make(name: "log", size: 0)
    let log = try log("123456789", file: file, limit: 4, echo: nil)
    try file.rewind()
    #expect(try file.readAll(limit: 100) == Array("1234".utf8))
    #expect(log.bytes == 9 && log.isTruncated)
  }
}
