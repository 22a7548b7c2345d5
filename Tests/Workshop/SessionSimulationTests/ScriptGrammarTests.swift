// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import SessionSimulation
import Testing

/// Parses expectations, initial states and simulated events of a script.
@Suite struct ScriptGrammarTests {
  private func assertion(_ line: String) throws -> ScriptAssertion {
    let step = try #require(try SessionScript(line, name: "s").steps.last)
    guard case .assert(let assertion) = step.action else { throw UnexpectedStep(line: line) }
    return assertion
  }

  /// A line that was parsed as another step.
  private struct UnexpectedStep: Error { let line: String }

  @Test(
    arguments: [
      ("answered", .answered), ("camera", .camera), ("listening", .listening), ("presented", .presented),
      ("touchable", .touchable),
      ("frame", .frame), ("frames 12", .frames(12)), ("file photo-1.jpg", .file("photo-1.jpg")),
      ("file \"a b*\"", .file("a b*")), ("files 0", .files(0)),
      ("log \"say \\\"no\\\" # yes\"", .log("say \"no\" # yes")),
      ("dismissed", .dismissed), ("ended", .ended), ("refusal", .refusal(nil)),
      ("refusal socket", .refusal("socket")),
      ("violation", .violation(nil)), ("violation \"ends early\"", .violation("ends early")),
    ] as [(String, ScriptCondition)]
  )
  func `parses every condition`(text: String, condition: ScriptCondition) throws {
    for manner in [ScriptAssertion.Kind.await, .expect] {
      let read = try assertion("\(manner.rawValue) \(text)")
      #expect(read.condition == condition && read.kind == manner && !read.isNegated)
      let denied = try assertion("\(manner.rawValue) no \(text) within 2s")
      #expect(denied.condition == condition && denied.isNegated)
    }
  }

  @Test func `a condition without a time is checked now, or at the end after an ending command`() throws {
    #expect(try assertion("expect files 1").time == .now)
    #expect(try assertion("expect files 1 within 1.5s").time == .within(1_500_000_000))
    #expect(try assertion("await files 1").time == .within(10_000_000_000))
    #expect(try assertion("expect outcome completed").time == .end(10_000_000_000))
    #expect(try assertion("expect ended within 2s").time == .end(2_000_000_000))
    for endCommand in ["dismiss", "power", "quit"] {
      #expect(try assertion("\(endCommand)\nexpect files 1").time == .end(nil))
      #expect(try assertion("\(endCommand)\nexpect files 1 within 1s").time == .within(1_000_000_000))
      #expect(try assertion("\(endCommand)\nexpect outcome dismissed").time == .end(nil))
    }
  }

  @Test(arguments: [("person", "user"), ("asked", "requested"), ("outstayed", "timedOut")])
  func `reads the details of an outcome in the spelling of earlier versions`(old: String, new: String) throws
  {
    let current = try assertion("expect outcome dismissed \(new)").condition
    #expect(try assertion("expect outcome dismissed \(old)").condition == current)
  }

  @Test func `parses initial states and simulated events`() throws {
    let script = try SessionScript(
      """
      given locked
      given camera denied   # at first
      given photos undecided
      given no camera
      given camera stalled
      given space 10M
      given context {"a": [1, "x # y"]}  # JSON
      given authentication fails
      grant camera
      revoke microphone
      unplug
      camera stall
      camera resume
      camera rate 5
      space 0
      space free
      context "now"
      """,
      name: "s"
    )
    #expect(
      script.given.map(\.change) == [
        .lock(.locked), .permission(.camera, false), .permission(.photos, nil), .noCamera, .stall,
        .space(10 << 20), .context(#"{"a": [1, "x # y"]}"#), .authentication(.failed),
      ]
    )
    let expected: [SimulatedEvent] = [
      .permission(.camera, true), .permission(.microphone, false), .unplug, .stall, .resume, .rate(5),
      .space(0),
      .space(nil), .context(#""now""#),
    ]
    #expect(script.steps.map(\.action) == expected.map { .change($0) })
    #expect(script.steps.map(\.line) == Array(9...17))
    #expect(script.steps.first?.text == "grant camera")
    #expect(script.firstSimulatedLine == .init(name: "s", line: 1))
    #expect(try SessionScript("press\n\nunplug", name: "s").firstSimulatedLine == .init(name: "s", line: 3))
    #expect(try SessionScript("expect presented\npress", name: "s").firstSimulatedLine == nil)
  }

  @Test(arguments: [
    ("expect", "wrong operands for 'expect'; write expect files 3, or expect no file *.part within 1s"),
    ("await no", "wrong operands for 'await'; write await presented within 5s"),
    (
      "expect within 2s",
      "wrong operands for 'expect'; write expect files 3, or expect no file *.part within 1s"
    ),
    (
      "expect presented within soon",
      "'soon' is not a duration of at most one day; write for example 500ms, 2s or 1m"
    ),
    (
      "expect viewfinder",
      "unknown condition 'viewfinder'; use answered, camera, listening, touchable, presented, "
        + "frame, frames, file, files, log, dismissed, ended, outcome, refusal, violation"
    ),
    ("expect files", "wrong operands for the condition 'files'; write expect files 3"),
    ("expect files many", "'many' is not a number from 0 to 1000000"),
    ("expect files -1", "'-1' is not a number from 0 to 1000000"),
    ("expect presented now", "wrong operands for the condition 'presented'; write expect presented"),
    (
      "expect log \"half",
      "the quotation mark is not closed; close the text with \", and write \\\" for a quotation mark in the text"
    ),
    (
      "expect outcome crashed",
      "unknown outcome 'crashed'; use completed, dismissed, watchdog, timedOut, violated, signaled, "
        + "protocolViolation, hostFailure"
    ),
    (
      "expect outcome timedOut soon",
      "'soon' is not a detail of the outcome timedOut; write timedOut, or timedOut with any of: launch, "
        + "wallClock"
    ),
    (
      "expect outcome protocolViolation 1",
      "'1' is not a detail of the outcome protocolViolation; write protocolViolation without details"
    ),
    ("revoke kamera", "unknown permission 'kamera'; use camera, microphone, photosAddOnly, photos"),
    ("revoke", "wrong operands for 'revoke'; write revoke camera"),
    ("camera faster", "wrong operands for 'camera'; write camera stall, camera resume or camera rate 5"),
    ("camera rate 0", "'0' is not a number from 1 to 1000"),
    ("space 1T", "'1T' is not a number of bytes; write for example 0, 512K, 10M or free"),
    ("press\ngiven locked", "'given' must precede the first step; move the line up"),
    (
      "quit\npress",
      "'press' has no effect after quit, which ends the session at once; move it before quit, or remove quit"
    ),
  ])
  func `an error in an expectation has its line and a fix`(text: String, message: String) {
    let error = #expect(throws: ScriptError.self) { try SessionScript("\n\(text)", name: "s") }
    let line = 1 + text.split(separator: "\n").count
    #expect(error?.description == "s:\(line): \(message)")
  }

  @Test func `rejects an invalid or oversized app context`() {
    let large = String(repeating: "x", count: 4095)
    for text in ["context {", "given context {]", "context \"\(large)\""] {
      let error = #expect(throws: ScriptError.self) { try SessionScript(text, name: "s") }
      #expect(error?.description.hasPrefix("s:1: the app context is not valid: ") == true)
    }
    #expect(throws: Never.self) { try SessionScript("context \"\(large.dropLast())\"", name: "s") }
  }

  @Test func `reports every error of a script and parses the other lines`() {
    let (script, mistakes) = SessionScript.read("jump\npress\nwait long\nunplug now\ndismiss", name: "s")
    #expect(mistakes.map(\.place.line) == [1, 3, 4])
    #expect(script.steps.map(\.line) == [2, 2, 5])
    // An initial state after an invalid step is too late, too.
    #expect(SessionScript.read("jump\ngiven locked", name: "s").mistakes.map(\.reason).last == .lateGiven)
  }

  @Test func `random scripts are parsed without a crash and with valid error positions`() {
    var state: UInt64 = 7
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let fragments = [
      "await", "expect", "given", "no", "within", "2s", "file", "*", "\"", "\\", "#", " ", "\n", "\t",
      "outcome",
      "dismissed", "context", "{", "}", "\u{0}", "é", "\u{1F600}", "press", "quit", "space", "9", "camera",
      "rate",
      "-1", "e308", "\r\n",
    ]
    for _ in 0..<3000 {
      let text = (0..<(1 + next(14))).map { _ in fragments[next(fragments.count)] + (next(2) == 0 ? " " : "")
      }
      .joined()
      let (script, mistakes) = SessionScript.read(text, name: "s")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(mistakes.allSatisfy { (1...lines).contains($0.place.line) && !$0.description.hasSuffix(": ") })
      // Each line either parses or has an error.
      #expect(Set(script.steps.map(\.line)).isDisjoint(with: mistakes.map(\.place.line)))
    }
  }
}
