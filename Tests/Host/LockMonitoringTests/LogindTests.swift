// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockMonitoring
import TestSupport
import Testing

/// The logind source with a simulated logind on a private bus.
@Suite(.timeLimit(.minutes(20))) struct LogindTests {
  private let harness: LockHarness
  private let bus: InteractiveProcess
  private let logind: InteractiveProcess

  init() throws {
    harness = try LockHarness()
    let address = "unix:path=\(harness.directory)/bus"
    harness.environment.busAddress = address
    bus = try InteractiveProcess([
      "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)",
      "--print-address",
    ])
    try #require(bus.readLine()?.hasPrefix("unix:") == true)
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    logind = try InteractiveProcess(
      ["\(programs)/darkroom-fake-logind"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS=\(address)"]
    )
    try #require(logind.readLine() == "ready")
  }

  /// Sends a command to the simulated logind and waits until it is on the bus.
  private func sendCommand(_ text: String) throws {
    logind.sendLine(text)
    try #require(logind.readLine() == "done")
  }

  @Test(arguments: [LogindSession.own, .id("c1"), .seat("seat0")])
  func `follows the LockedHint of logind`(session: LogindSession) throws {
    try harness.configure(.logind(session))
    let monitor = harness.monitor()
    #expect(monitor.state == .unlocked, "\(monitor.decidingReport.reason)")
    try sendCommand("hint 1")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decidingReport.reason == .sessionLocked("c1"))
    try sendCommand("hint 0")
    #expect(monitor.becomes(.unlocked))
  }

  @Test func `prefers the session of this process to the session with a display`() throws {
    try harness.configure(.logind(.own))
    harness.environment.sessionID = "c2"
    #expect(
      harness.monitor().decidingReport.reason == .sessionOfOtherUser("c2", user: CurrentProcess.userID + 1)
    )
  }

  @Test func `a Lock signal locks until LockedHint is cleared again or an Unlock signal follows`() throws {
    try harness.configure(.logind(.own))
    let monitor = harness.monitor()
    try sendCommand("lock")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decidingReport.reason == .sessionBeingLocked("c1"))
    try sendCommand("hint 1")
    #expect(monitor.reason { $0 == .sessionLocked("c1") } == .sessionLocked("c1"))
    try sendCommand("hint 0")
    #expect(monitor.becomes(.unlocked))
    try sendCommand("lock")
    #expect(monitor.becomes(.locked))
    try sendCommand("unlock")
    #expect(monitor.becomes(.unlocked))
  }

  @Test func `an Unlock signal alone does not unlock`() throws {
    try harness.configure(.logind(.own))
    try sendCommand("hint 1")
    let monitor = harness.monitor()
    try sendCommand("unlock")
    // The reply to the query that the signal caused precedes the reply to this command.
    try sendCommand("class user")
    monitor.wait(milliseconds: 300) { $0.state == .unlocked }
    #expect(monitor.state == .locked)
  }

  @Test func `is locked if another session is in the foreground or is a greeter`() throws {
    try harness.configure(.logind(.seat("seat0")), .logind(.id("c1")))
    let monitor = harness.monitor()
    #expect(monitor.state == .unlocked)
    try sendCommand("active c2")
    #expect(monitor.becomes(.locked))
    monitor.wait(milliseconds: TestTimeout.seconds * 1000) { monitor in
      monitor.reports[1].reason != .sessionUnlocked("c1")
        && monitor.reports[2].reason != .sessionUnlocked("c1")
    }
    #expect(monitor.reports[1].reason == .sessionOfOtherUser("c2", user: CurrentProcess.userID + 1))
    #expect(monitor.reports[2].reason == .sessionInBackground("c1"))
    try sendCommand("class greeter")
    try sendCommand("active c1")
    #expect(monitor.reason { $0 == .greeter("c1") } == .greeter("c1"))
  }

  @Test func `is locked if the session has ended or never existed`() throws {
    try harness.configure(.logind(.id("c1")))
    let monitor = harness.monitor()
    #expect(monitor.state == .unlocked)
    try sendCommand("gone")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decidingReport.reason == .noSession(.id("c1")))
    try harness.configure(.logind(.seat("seat9")))
    #expect(harness.monitor().decidingReport.reason == .noSession(.seat("seat9")))
    try harness.configure(.logind(.own))
    #expect(harness.monitor().decidingReport.reason == .noSession(.own))
  }

  @Test func `is locked while logind is absent and follows it again afterwards`() throws {
    try harness.configure(.logind(.own))
    let monitor = harness.monitor()
    #expect(monitor.state == .unlocked)
    try sendCommand("leave")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decidingReport.reason == .logindUnavailable)
    try sendCommand("enter")
    #expect(monitor.becomes(.unlocked))
  }

  @Test func `is locked with a reason if the bus disconnects`() throws {
    try harness.configure(.logind(.own))
    let monitor = harness.monitor()
    #expect(monitor.state == .unlocked)
    bus.terminate()
    #expect(monitor.becomes(.locked))
    guard case .busUnavailable = monitor.decidingReport.reason else {
      Issue.record("\(monitor.decidingReport.reason)")
      return
    }
    #expect(monitor.decidingReport.reason.description.contains("the system bus cannot be reached"))
  }

  @Test func `an unlock requests it from logind and waits for the LockedHint`() throws {
    try harness.configure(.logind(.own))
    try sendCommand("hint 1")
    let monitor = harness.monitor()
    try monitor.unlock()
    #expect(logind.readLine() == "unlock called")
    #expect(monitor.state == .locked)
    try sendCommand("hint 0")
    #expect(monitor.becomes(.unlocked))
  }

  @Test func `ignores forged logind signals of another program`() throws {
    try harness.configure(.logind(.own))
    let monitor = harness.monitor()
    try sendCommand("lock")
    #expect(monitor.becomes(.locked))
    try runShell(
      """
      dbus-send --bus=unix:path='\(harness.directory)/bus' --type=signal \\
        /org/freedesktop/login1/session/c1 org.freedesktop.login1.Session.Unlock
      """
    )
    monitor.wait(milliseconds: 300) { $0.state == .unlocked }
    #expect(monitor.state == .locked)
    try sendCommand("unlock")
    #expect(monitor.becomes(.unlocked))
  }
}

@Suite struct MissingBusTests {
  @Test func `is locked at once without a bus`() throws {
    let harness = try LockHarness()
    try harness.configure(.logind(.own))
    let monitor = LockMonitor(root: harness.directory, environment: harness.environment)
    #expect(monitor.state == .locked)
    #expect(monitor.decidingReport.reason == .busUnavailable(.noSuchFile))
  }
}
