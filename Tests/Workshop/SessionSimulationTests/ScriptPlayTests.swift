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

  private let dismissed = SessionOutcome.dismissed(.init(by: .user, ending: .exited(0)))

  @Test
  func `the clock starts at launch if the script awaits first, or else when listening starts`()
    throws
  {
    let waiting = try control("await presented within 5s\npress\nwait 1s\ndismiss")
    waiting.observe(SessionSnapshot(stage: .running), at: Self.second)
    #expect(waiting.commands(at: Self.second) == [])
    // The start of listening does not satisfy the awaited condition.
    waiting.begin(at: Self.second)
    #expect(waiting.commands(at: Self.second) == [])
    waiting.observe(SessionSnapshot(stage: .running, hasPresented: true), at: 2 * Self.second)
    #expect(waiting.commands(at: 2 * Self.second).count == 2)
    #expect(waiting.nextDeadline == 3 * Self.second)
    #expect(waiting.commands(at: 3 * Self.second) == [.dismiss])

    let pressing = try control("press\nawait presented")
    #expect(pressing.commands(at: Self.second) == [])
    pressing.begin(at: Self.second)
    #expect(pressing.commands(at: Self.second).count == 2)
  }

  @Test func `checks a command only after its event was delivered`() throws {
    let control = try control("press\nexpect no frame within 1s\ndismiss")
    let snapshot = SessionSnapshot(stage: .running, frames: 3)
    control.begin(at: 0)
    control.observe(snapshot, at: 0)
    #expect(control.commands(at: 0).count == 2)
    // The control is due immediately, without waiting for another event.
    #expect(control.nextDeadline == 0)
    control.observe(snapshot, at: 1)
    #expect(control.commands(at: 1) == [])
    control.observe(snapshot, at: 1 + Self.second)
    #expect(control.commands(at: 1 + Self.second) == [.dismiss])
    #expect(control.findings(record(dismissed)).map(\.holds) == [true])
  }

  @Test func `a missed expectation fails with the observed state, and the script continues`() throws {
    let control = try control("expect presented within 1s\ndismiss\nexpect outcome dismissed user exited 0")
    control.observe(SessionSnapshot(stage: .running, hasAnswered: true, frames: 1), at: 0)
    #expect(control.commands(at: 0) == [])
    control.observe(SessionSnapshot(stage: .running, hasAnswered: true, frames: 1), at: Self.second)
    #expect(control.commands(at: Self.second) == [.dismiss])
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.line) == [1, 3])
    #expect(findings.map(\.text).first == "expect presented within 1s")
    #expect(
      findings.first?.verdict
        == .failed(
          "the extension is running, camera stopped, 1 frame consumed, no viewfinder shown, button presses not accepted"
        )
    )
    #expect(findings.first?.time == Self.second)
    #expect(findings.last?.holds == true)
  }

  @Test func `a failed await dismisses the session and skips the remaining steps`()
    throws
  {
    let control = try control("await answered within 1s\npress\nexpect files 1\ndismiss")
    control.observe(SessionSnapshot(stage: .starting), at: 0)
    control.observe(SessionSnapshot(stage: .starting), at: Self.second)
    #expect(control.commands(at: Self.second) == [.dismiss])
    #expect(control.commands(at: 2 * Self.second) == [])
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.line) == [1, 2, 3, 4])
    #expect(
      findings.dropFirst().allSatisfy {
        $0.verdict == .notReached("the condition of line 1 was not met in time")
      }
    )
  }

  @Test func `after the session ends, expectations use its record and presses are skipped`()
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
    control.observe(SessionSnapshot(stage: .running, hasPresented: true), at: 0)
    control.observe(
      SessionSnapshot(stage: .exited, hasPresented: true, log: Array("[info] wrote it\n".utf8)),
      at: Self.second
    )
    // Only the end of the session is pending.
    #expect(control.nextDeadline == nil)
    let findings = control.findings(record(.signaled(Signal(rawValue: 6)), files: ["a/photo.jpg"]))
    #expect(findings.map(\.line) == Array(1...9))
    #expect(findings.map(\.holds) == [false, false, true, true, true, true, true, true, true])
    #expect(
      findings[1].verdict == .notReached("the session had ended: the extension was terminated by SIGABRT")
    )
  }

  @Test func `a missing end of the session is a failure unless it is excluded`() throws {
    let control = try control("expect no ended within 1s\nexpect outcome completed\ndismiss")
    let snapshot = SessionSnapshot(stage: .running)
    control.observe(snapshot, at: 0)
    control.observe(snapshot, at: Self.second)
    control.observe(snapshot, at: 11 * Self.second)
    #expect(control.commands(at: 11 * Self.second) == [.dismiss])
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.holds) == [true, false])
    guard case .failed(let seen)? = findings.last?.verdict else { return }
    #expect(seen.hasPrefix("the session has not ended: "))
  }

  @Test func `a negated expect needs the full time, and a negated await waits for the change`()
    throws
  {
    let text = "await no camera within 2s\nexpect no camera within 2s\nawait no camera within 1s\npress"
    let control = try control(text)
    func see(_ second: UInt64, _ isOn: Bool) {
      control.observe(SessionSnapshot(stage: .running, isCameraOn: isOn), at: second * Self.second)
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

  @Test func `dismisses an open session once if the script does not end it`() throws {
    let open = try control("press")
    open.begin(at: 0)
    #expect(open.commands(at: 0).count == 2)
    #expect(open.nextDeadline == nil)
    let closed = try control("press\nwait 1s", ending: .dismissal)
    closed.begin(at: 0)
    #expect(closed.commands(at: 0).count == 2)
    #expect(closed.nextDeadline == Self.second)
    #expect(closed.commands(at: Self.second) == [.dismiss])
    #expect(closed.commands(at: Self.second) == [])
    let ended = try control("quit", ending: .dismissal)
    ended.begin(at: 0)
    #expect(ended.commands(at: 0) == [.quit])
    #expect(ended.nextDeadline == nil)
  }

  @Test func `counts files below the session directory without symbolic links`() throws {
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
    control.observe(SessionSnapshot(stage: .running, contentDirectory: "\(scratch.path)/content"), at: 0)
    let findings = control.findings(record(dismissed))
    #expect(findings.map(\.holds) == [true, true, true, true, true, true, true, true, false])
    #expect(
      findings.last?.verdict == .failed("3 files: more/photo-2.jpg, photo-1.jpg, photo-3.jpg.part")
    )
  }
}
