// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import JSONText
import SessionStore
import Testing

@Suite struct RefusalOutputTests {
  /// Returns a refused call of a session record.
  private static func refusal(
    _ sentence: String,
    count: Int64 = 1,
    program: String = "sh",
    call: String = "socket",
    probe: String? = nil
  ) -> SessionRecord.Refusal {
    .init(
      layer: "seccomp",
      call: .init(call, [], program: program, thread: 1, at: 0, count: count),
      errno: "EPERM",
      explanation: .init(reason: "", origin: [:], fix: [:], sentence: sentence),
      probe: probe
    )
  }

  /// Returns the record of a session with an exit code and refused calls.
  private static func record(_ refusals: [SessionRecord.Refusal], exitCode: Int32 = 1) -> SessionRecord {
    var record = SessionRecord.sample
    record.outcome = .completed(exitCode: exitCode)
    record.refusals = refusals
    return record
  }

  @Test func `explains each refusal of a program that failed, with the number of equal ones`() {
    let record = Self.record([
      Self.refusal("sh was refused socket"), Self.refusal("sh was refused mount", count: 37),
    ])
    #expect(RefusalOutput.lines(record) == ["sh was refused socket", "sh was refused mount (37 times)"])
  }

  @Test func `summarizes the probes of a program that failed if it was refused something else`() {
    let needed = Self.refusal("sh was refused mount")
    let probe = Self.refusal("sh asked nscd", count: 4, program: "id", probe: "nameService")
    let record = Self.record([needed, probe])
    let summary =
      "4 other calls were refused, too (id: socket): 'darkroom logs refusals \(record.sessionID)' lists them"
    #expect(RefusalOutput.lines(record) == ["sh was refused mount", summary])
    #expect(RefusalOutput.lines(Self.record([probe])) == ["sh asked nscd (4 times)"])
  }

  @Test func `summarizes all refusals of a program that succeeded`() {
    let refusals = (1...6).map { Self.refusal("number \($0)", program: "p\($0)", call: "call\($0)") }
    let record = Self.record(refusals, exitCode: 0)
    let command = "'darkroom logs refusals \(record.sessionID)'"
    #expect(
      RefusalOutput.lines(record) == [
        "6 refused calls did not stop the program (p1: call1, p2: call2, p3: call3, p4: call4, …): "
          + "\(command) lists them"
      ]
    )
    let one = Self.record([refusals[0]], exitCode: 0)
    #expect(
      RefusalOutput.lines(one) == [
        "1 refused call did not stop the program (p1: call1): "
          + "'darkroom logs refusals \(one.sessionID)' lists it"
      ]
    )
  }

  @Test func `does not repeat what was explained while the session ran`() {
    let refusals = [
      Self.refusal("first"), Self.refusal("a probe", probe: "nameService"), Self.refusal("second"),
    ]
    #expect(RefusalOutput.lines(Self.record(refusals), explained: 1).first == "second")
    #expect(RefusalOutput.lines(Self.record([refusals[0]]), explained: 1) == [])
    #expect(RefusalOutput.lines(Self.record([refusals[0]], exitCode: 0), explained: 1) == [])
    let left = RefusalOutput.lines(Self.record(refusals, exitCode: 0), explained: 1)
    #expect(left.count == 1 && left[0].hasPrefix("2 refused calls did not stop the program"), "\(left)")
  }

  @Test func `reports how many refusals were not kept`() {
    var record = Self.record([Self.refusal("a")])
    record.refusalsOmitted = 12
    #expect(RefusalOutput.lines(record).last?.hasPrefix("12 more calls were refused") == true)
    #expect(RefusalOutput.lines(Self.record([])) == [])
    record.outcome = .completed(exitCode: 0)
    #expect(RefusalOutput.lines(record).first?.hasPrefix("13 refused calls") == true)
  }

  @Test func `lists every refusal, and marks probes`() {
    let record = Self.record([Self.refusal("a"), Self.refusal("b", count: 2, probe: "groups")], exitCode: 0)
    #expect(RefusalOutput.all(record) == ["a", "probe: b (2 times)"])
  }

  @Test func `escapes control characters in sentences and program names`() {
    let untrusted = Self.refusal("a\u{1B}[2J\nb\u{202E}", count: 2, program: "x\u{1B}")
    #expect(RefusalOutput.lines(Self.record([untrusted])) == [#"a\u{1B}[2J\nb\u{202E} (2 times)"#])
    let lines = RefusalOutput.lines(Self.record([untrusted], exitCode: 0))
    #expect(lines.count == 1 && !lines[0].contains("\u{1B}"), "\(lines)")
  }
}
