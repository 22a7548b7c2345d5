// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import Testing

@Suite struct WireTests {
  @Test func `splits bytes into lines however they are chunked`() throws {
    let text = Array("one\n\ntwo\nthree".utf8)
    for size in 1...text.count {
      var framer = LineFramer()
      var lines: [String] = []
      for start in stride(from: 0, to: text.count, by: size) {
        framer.push(text[start..<min(text.count, start + size)], at: 0)
        while let line = try framer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      }
      #expect(lines == ["one", "", "two"])
      #expect(throws: ProtocolViolation(.unfinishedLine)) { try framer.finish() }
    }
  }

  @Test func `measures the age of a pending line from its first byte`() throws {
    var framer = LineFramer()
    #expect(framer.pendingSince == nil)
    framer.push(Array("a".utf8), at: 10)
    framer.push(Array("b".utf8), at: 20)
    #expect(framer.pendingSince == 10)
    framer.push(Array("\nc".utf8), at: 30)
    #expect(framer.pendingSince == 30)
    framer.push(Array("\n".utf8), at: 40)
    #expect(framer.pendingSince == nil)
    framer.push([UInt8](), at: 50)
    #expect(framer.pendingSince == nil)
    try framer.finish()
  }

  @Test func `accepts a line at the limit and rejects one byte more even before its newline`() throws {
    var framer = LineFramer(limit: 8)
    framer.push(Array("12345678\n".utf8), at: 0)
    #expect(try framer.next()?.count == 8)
    #expect(try framer.next() == nil)
    framer.push(Array("ok\n123456789".utf8), at: 0)
    #expect(try framer.next() == Array("ok".utf8))
    let error = #expect(throws: ProtocolViolation.self) { try framer.next() }
    #expect(error?.reason == .lineTooLong(limit: 8))
    var whole = LineFramer(limit: 8)
    whole.push(Array("123456789\n".utf8), at: 0)
    #expect(throws: ProtocolViolation.self) { try whole.next() }
  }

  @Test func `admits a burst and then limits the rate`() {
    var limiter = RateLimiter(perSecond: 10, burst: 3)
    let start: UInt64 = 1_000
    let later = start + 60_000_000_000
    let times = [
      start, start, start, start, start + 99_999_999, start + 100_000_000, start + 100_000_001,
      later, later, later, later, 0,
    ]
    var admitted: [Bool] = []
    for time in times { admitted.append(limiter.admit(at: time)) }
    let (yes, no) = (true, false)
    #expect(admitted == [yes, yes, yes, no, no, yes, no, yes, yes, yes, no, no])
  }

  @Test func `rejects random bytes without a crash`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      #expect(throws: ProtocolViolation.self) { try HostMessage(line: bytes) }
      #expect(throws: ProtocolViolation.self) { try ExtensionMessage(line: bytes) }
    }
  }

  @Test func `rejects truncated messages and decodes mutated ones consistently or rejects them`() throws {
    let document = try ProtocolDocument()
    for section in document.sections {
      let line = section.examples[0]
      for end in 0..<line.count {
        #expect(throws: ProtocolViolation.self) { try HostMessage(line: Array(line[..<end])) }
        #expect(throws: ProtocolViolation.self) { try ExtensionMessage(line: Array(line[..<end])) }
      }
      for index in line.indices {
        var changed = line
        changed[index] = "\"{}[],:0-x".utf8.randomElement() ?? 0
        // A message that can be decoded must survive a round trip through its encoding.
        if let message = try? HostMessage(line: changed) {
          #expect(try HostMessage(line: Array(message.line.dropLast())) == message)
        }
        if let message = try? ExtensionMessage(line: changed) {
          #expect(try ExtensionMessage(line: Array(message.line.dropLast())) == message)
        }
      }
    }
  }
}
