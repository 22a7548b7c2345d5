// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import LinuxPrimitives
import SessionSimulation
import SessionStore
import TestSupport
import Testing

/// Plays scripts that wait for conditions.
@Suite struct ScriptPlayTests {
  private static let second: UInt64 = 1_000_000_000

  private func control(_ text: String, ending: ScriptedControl.Ending = .open) throws -> ScriptedControl {
    let control = ScriptedControl(try SessionScript(text, name: "s"), ending: ending)
    control.launched(at: 0)
    return control
  }

  private func record(_ outcome: SessionOutcome, files: [String] = []) -> SessionRecord {
    var record = SessionRecord(
      sessionID: .random(),
      app: "org.example.app",
      extensionID: "org.example.app.capture",
      startedAt: 0,
      endedAt: 1,
      outcome: outcome
    )
    record.files = files.map { .init(path: $0, size: 1, modified: 0) }
    return record
  }

  private let dismissed = SessionOutcome.dismissed(.init(by: .person, ending: .exited(0)))

  @Test
  func `time begins with the launch where something is waited for first, else when the extension listens`()
    throws
  {
    let waiting = try control("await presented within 5s\npress\nwait 1s\ndismiss")
    waiting.see(SessionSight(stage: .running), at: Self.second)
    #expect(waiting.commands(at: Self.second) == [])
    // The start of listening does not satisfy the awaited condition.
    waiting.begin(at: Self.second)
    #expect(waiting.commands(at: Self.second) == [])
    waiting.see(SessionSight(stage: .running, hasPresented: true), at: 2 * Self.second)
    #expect(waiting.commands(at: 2 * Self.second).count == 2)
    #expect(waiting.nextMoment == 3 * Self.second)
    #expect(waiting.commands(at: 3 * Self.second) == [.dismiss])

    let pressing = try control("press\nawait presented")
    #expect(pressing.commands(at: Self.second) == [])
    pressing.begin(at: Self.second)
    #expect(pressing.commands(at: Self.second).count == 2)
  }

  @Test func `what was just done is judged only when it has happened`() throws {
    let control = try control("press\nexpect no frame within 1s\ndismiss")
    let sight = SessionSight(stage: .running, frames: 3)
    control.begin(at: 0)
    control.see(sight, at: 0)
    #expect(control.commands(at: 0).count == 2)
    // The control is due immediately, without waiting for another event.
    #expect(control.nextMoment == 0)
    control.see(sight, at: 1)
    #expect(control.commands(at: 1) == [])
    control.see(sight, at: 1 + Self.second)
    #expect(control.commands(at: 1 + Self.second) == [.dismiss])
    #expect(control.findings(record(dismissed)).map(\.holds) == [true])
  }

  @Test func `what does not come in time is a failure with what was seen, and the script goes on`() throws {
    let control = try control("expect presented within 1s\ndismiss\nexpect outcome dismissed person exited 0")
    control.see(SessionSight(stage: .running, hasAnswered: true, frames: 1), at: 0)
    #expect(control.commands(at: 0) == [])
    control.see(SessionSight(stage: .running, hasAnswered: true, frames: 1), at: Self.second)
    #expect(control.commands(at: Self.second) == [.dismiss])
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.line) == [1, 3])
    #expect(findings.map(\.text).first == "expect presented within 1s")
    #expect(
      findings.first?.verdict
        == .failed(
          "the extension runs, without the camera, 1 frame taken, no viewfinder shown, buttons not heard"
        )
    )
    #expect(findings.first?.time == Self.second)
    #expect(findings.last?.holds == true)
  }

  @Test func `where something is waited for in vain, the session is dismissed and the rest is not reached`()
    throws
  {
    let control = try control("await answered within 1s\npress\nexpect files 1\ndismiss")
    control.see(SessionSight(stage: .starting), at: 0)
    control.see(SessionSight(stage: .starting), at: Self.second)
    #expect(control.commands(at: Self.second) == [.dismiss])
    #expect(control.commands(at: 2 * Self.second) == [])
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.line) == [1, 2, 3, 4])
    #expect(findings.dropFirst().allSatisfy { $0.verdict == .notReached("line 1 was waited for in vain") })
  }

  @Test func `what is left when the session has ended is judged by its record, and presses are not reached`()
    throws
  {
    let text = """
      await listening within 9s
      press
      expect file *.jpg
      expect presented
      expect outcome signaled 6
      expect no refusal
      expect no violation
      expect log "wrote it"
      expect ended
      """
    let control = try control(text)
    control.see(SessionSight(stage: .running, hasPresented: true), at: 0)
    control.see(
      SessionSight(stage: .over, hasPresented: true, log: Array("[info] wrote it\n".utf8)),
      at: Self.second
    )
    // Only the end of the session is pending.
    #expect(control.nextMoment == nil)
    let findings = control.findings(record(.signaled(Signal(rawValue: 6)), files: ["a/photo.jpg"]))
    #expect(findings.map(\.line) == Array(1...9))
    #expect(findings.map(\.holds) == [false, false, true, true, true, true, true, true, true])
    #expect(findings[1].verdict == .notReached("the session had ended: the extension was ended by SIGABRT"))
  }

  @Test func `an end that does not come is a failure, unless it must not come`() throws {
    let control = try control("expect no ended within 1s\nexpect outcome completed\ndismiss")
    let sight = SessionSight(stage: .running)
    control.see(sight, at: 0)
    control.see(sight, at: Self.second)
    control.see(sight, at: 11 * Self.second)
    #expect(control.commands(at: 11 * Self.second) == [.dismiss])
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.holds) == [true, false])
    guard case .failed(let seen)? = findings.last?.verdict else { return }
    #expect(seen.hasPrefix("the session has not ended: "))
  }

  @Test func `what must not be is not for the whole time, and what is waited for to go has time to go`()
    throws
  {
    let text = "await no camera within 2s\nexpect no camera within 2s\nawait no camera within 1s\npress"
    let control = try control(text)
    func see(_ second: UInt64, _ isOn: Bool) {
      control.see(SessionSight(stage: .running, isCameraOn: isOn), at: second * Self.second)
    }
    see(0, true)
    see(1, false)
    see(2, false)
    see(3, true)
    see(4, true)
    #expect(control.commands(at: 4 * Self.second) == [.dismiss])
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.line) == [1, 2, 3, 4])
    #expect(findings.map(\.holds) == [true, false, false, false])
    #expect(findings[0].time == Self.second)
  }

  @Test func `a session that the script does not end is dismissed where that was asked for, once`() throws {
    let open = try control("press")
    open.begin(at: 0)
    #expect(open.commands(at: 0).count == 2)
    #expect(open.nextMoment == nil)
    let closed = try control("press\nwait 1s", ending: .dismissal)
    closed.begin(at: 0)
    #expect(closed.commands(at: 0).count == 2)
    #expect(closed.nextMoment == Self.second)
    #expect(closed.commands(at: Self.second) == [.dismiss])
    #expect(closed.commands(at: Self.second) == [])
    let ended = try control("quit", ending: .dismissal)
    ended.begin(at: 0)
    #expect(ended.commands(at: 0) == [.quit])
    #expect(ended.nextMoment == nil)
  }

  @Test func `files are counted below the session directory, and links are none`() throws {
    let scratch = try ScratchDirectory()
    try FileSystem.makeDirectories("\(scratch.path)/content/more")
    for name in ["photo-1.jpg", "more/photo-2.jpg", "photo-3.jpg.part"] {
      try FileSystem.replaceContents("\(scratch.path)/content/\(name)", with: [1])
    }
    try runShell(
      "ln -s /etc '\(scratch.path)/content/etc'; ln -s photo-1.jpg '\(scratch.path)/content/link.jpg'"
    )
    let text = """
      expect files 3
      expect file photo-1.jpg
      expect file *photo-2.jpg
      expect file photo-*.part
      expect no file *.png
      expect no file photo-1.jp
      expect no file link*
      expect file m*o*2*g
      expect files 2
      """
    let control = try control(text)
    control.see(SessionSight(stage: .running, contentDirectory: "\(scratch.path)/content"), at: 0)
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.holds) == [true, true, true, true, true, true, true, true, false])
    #expect(
      findings.last?.verdict == .failed("3 files: more/photo-2.jpg, photo-1.jpg, photo-3.jpg.part")
    )
  }
}
