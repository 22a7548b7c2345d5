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

  @Test func `prints each quarantined item with its reason and the command that shows all of them`() {
    let record = Self.record([.init(path: "a/pipe", reason: .fifo), .init(path: "b", reason: .hardLink)])
    let lines = QuarantineOutput.lines(record)
    #expect(lines.count == 3)
    #expect(lines.first == "quarantined: a/pipe: \(QuarantineReason.fifo.explanation)")
    #expect(lines.last?.contains("'darkroom quarantine show \(record.app) \(record.sessionID)'") == true)
    #expect(QuarantineOutput.lines(Self.record([])) == [])
  }

  @Test(arguments: QuarantineReason.allCases)
  func `every quarantine reason has an explanation and a fix`(reason: QuarantineReason) {
    let parts = reason.explanation.split(separator: ";")
    #expect(parts.count == 2 && parts.allSatisfy { $0.count > 10 }, "\(reason.explanation)")
  }

  @Test func `prints some of a hundred thousand quarantined items and the count of the others`() {
    let record = Self.record((0..<100_000).map { .init(path: "\($0)", reason: .socket) })
    let lines = QuarantineOutput.lines(record)
    #expect(lines.count < 15)
    let listed = lines.filter { $0.contains(QuarantineReason.socket.explanation) }.count
    #expect(lines.contains("quarantined: \(100_000 - listed) more"))
  }

  @Test func `abbreviates a path of four thousand bytes and prints its length`() throws {
    let path = "begin/" + Array(repeating: "d", count: 2045).joined(separator: "/") + "/end"
    let record = Self.record([.init(path: path, reason: .pathTooLong)])
    let line = try #require(QuarantineOutput.lines(record).first)
    #expect(line.hasPrefix("quarantined: begin/d/d/"))
    #expect(line.contains("d/end (\(path.utf8.count) bytes): "))
    #expect(line.count < 400)
  }
}
