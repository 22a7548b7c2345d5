// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import JSONText
import SessionStore
import Testing

@Suite struct RefusalOutputTests {
  /// A record of a session that was refused calls with these sentences, so often.
  private static func record(_ refusals: [(sentence: String, count: Int64)]) -> SessionRecord {
    var record = SessionRecord.sample
    record.refusals = refusals.map {
      .init(
        layer: "seccomp",
        call: "socket",
        arguments: [],
        program: "sh",
        thread: 1,
        at: 0,
        count: $0.count,
        errno: "EPERM",
        reason: "",
        origin: [:],
        mend: [:],
        sentence: $0.sentence
      )
    }
    return record
  }

  @Test func `each kind is one line, and the number stands behind those that were repeated`() {
    let record = Self.record([("sh was refused socket", 1), ("sh was refused mount", 37)])
    #expect(
      RefusalOutput.lines(record) == ["sh was refused socket", "sh was refused mount (37 times)"]
    )
  }

  @Test func `what was not kept is told of by its number`() {
    var record = Self.record([("a", 1)])
    record.refusalsOmitted = 12
    #expect(RefusalOutput.lines(record).last?.hasPrefix("12 more calls were refused") == true)
    #expect(RefusalOutput.lines(Self.record([])) == [])
  }

  @Test func `a sentence that would control the terminal does not`() {
    let lines = RefusalOutput.lines(Self.record([("a\u{1B}[2J\nb\u{202E}", 2)]))
    #expect(lines == [#"a\u{1B}[2J\nb\u{202E} (2 times)"#])
  }
}
