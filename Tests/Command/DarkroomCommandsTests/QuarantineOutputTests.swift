// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import SessionStore
import Testing

@Suite struct QuarantineOutputTests {
  private static func record(_ kept: [SessionRecord.Quarantined]) -> SessionRecord {
    var record = SessionRecord.sample
    record.quarantined = kept
    return record
  }

  @Test func `each item has its reason and what would mend it, and then it is told where they are`() {
    let record = Self.record([.init(path: "a/pipe", reason: .fifo), .init(path: "b", reason: .hardLink)])
    let lines = QuarantineOutput.lines(record)
    #expect(lines.count == 3)
    #expect(lines.first == "not handed over: a/pipe: \(QuarantineReason.fifo.explanation)")
    #expect(lines.last?.contains("'darkroom quarantine show \(record.app) \(record.sessionID)'") == true)
    #expect(QuarantineOutput.lines(Self.record([])) == [])
  }

  @Test(arguments: QuarantineReason.allCases)
  func `every reason says what is wrong and what to do`(reason: QuarantineReason) {
    let parts = reason.explanation.split(separator: ";")
    #expect(parts.count == 2 && parts.allSatisfy { $0.count > 10 }, "\(reason.explanation)")
  }

  @Test func `of a hundred thousand items some are told, and how many more there are`() {
    let record = Self.record((0..<100_000).map { .init(path: "\($0)", reason: .socket) })
    let lines = QuarantineOutput.lines(record)
    #expect(lines.count < 15)
    let told = lines.filter { $0.contains(QuarantineReason.socket.explanation) }.count
    #expect(lines.contains("not handed over: \(100_000 - told) more"))
  }

  @Test func `a path of four thousand bytes is told by its ends and its length`() throws {
    let path = "begin/" + Array(repeating: "d", count: 2045).joined(separator: "/") + "/end"
    let record = Self.record([.init(path: path, reason: .pathTooLong)])
    let line = try #require(QuarantineOutput.lines(record).first)
    #expect(line.hasPrefix("not handed over: begin/d/d/"))
    #expect(line.contains("d/end (\(path.utf8.count) bytes): "))
    #expect(line.count < 400)
  }
}
