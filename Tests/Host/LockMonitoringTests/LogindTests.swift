// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockMonitoring
import TestSupport
import Testing

/// The logind source with a simulated logind on a private bus.
@Suite(.timeLimit(.minutes(20))) struct LogindTests {
  private let bench: LockBench
  private let bus: Talker
  private let logind: Talker

  init() throws {
    bench = try LockBench()
    let address = "unix:path=\(bench.directory)/bus"
    bench.surroundings.busAddress = address
    bus = try Talker([
      "/usr/bin/dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)",
      "--print-address",
    ])
    try #require(bus.hear()?.hasPrefix("unix:") == true)
    let programs = FileSystem.directoryName(try CurrentProcess.executablePath())
    logind = try Talker(
      ["\(programs)/darkroom-fake-logind"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS=\(address)"]
    )
    try #require(logind.hear() == "ready")
  }

  /// Sends a command to the simulated logind and waits until it is on the bus.
  private func order(_ text: String) throws {
    logind.tell(text)
    try #require(logind.hear() == "done")
  }

  @Test(arguments: [LogindSession.own, .id("c1"), .seat("seat0")])
  func `the locker's hint is followed`(session: LogindSession) throws {
    try bench.configure(.logind(session))
    let monitor = bench.monitor()
    #expect(monitor.state == .unlocked, "\(monitor.decisive.reason)")
    try order("hint 1")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decisive.reason == .sessionLocked("c1"))
    try order("hint 0")
    #expect(monitor.becomes(.unlocked))
  }

  @Test func `the session of this process comes before that with a display`() throws {
    try bench.configure(.logind(.own))
    bench.surroundings.sessionID = "c2"
    #expect(bench.monitor().decisive.reason == .sessionOfAnother("c2", user: CurrentProcess.userID + 1))
  }

  @Test func `a request to lock is believed at once, and until it is known to be over`() throws {
    try bench.configure(.logind(.own))
    let monitor = bench.monitor()
    try order("lock")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decisive.reason == .sessionBeingLocked("c1"))
    try order("hint 1")
    #expect(monitor.reason { $0 == .sessionLocked("c1") } == .sessionLocked("c1"))
    try order("hint 0")
    #expect(monitor.becomes(.unlocked))
    try order("lock")
    #expect(monitor.becomes(.locked))
    try order("unlock")
    #expect(monitor.becomes(.unlocked))
  }

  @Test func `the signal Unlock alone unlocks nothing`() throws {
    try bench.configure(.logind(.own))
    try order("hint 1")
    let monitor = bench.monitor()
    try order("unlock")
    // The reply to the query that the signal caused precedes the reply to this command.
    try order("class user")
    monitor.wait(milliseconds: 300) { $0.state == .unlocked }
    #expect(monitor.state == .locked)
  }

  @Test func `whoever is in front counts`() throws {
    try bench.configure(.logind(.seat("seat0")), .logind(.id("c1")))
    let monitor = bench.monitor()
    #expect(monitor.state == .unlocked)
    try order("active c2")
    #expect(monitor.becomes(.locked))
    monitor.wait(milliseconds: TestPatience.seconds * 1000) { monitor in
      monitor.reports[1].reason != .sessionUnlocked("c1")
        && monitor.reports[2].reason != .sessionUnlocked("c1")
    }
    #expect(monitor.reports[1].reason == .sessionOfAnother("c2", user: CurrentProcess.userID + 1))
    #expect(monitor.reports[2].reason == .sessionInBackground("c1"))
    try order("class greeter")
    try order("active c1")
    #expect(monitor.reason { $0 == .greeter("c1") } == .greeter("c1"))
  }

  @Test func `a session that ends, and one that never was, are locked`() throws {
    try bench.configure(.logind(.id("c1")))
    let monitor = bench.monitor()
    #expect(monitor.state == .unlocked)
    try order("gone")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decisive.reason == .noSession(.id("c1")))
    try bench.configure(.logind(.seat("seat9")))
    #expect(bench.monitor().decisive.reason == .noSession(.seat("seat9")))
    try bench.configure(.logind(.own))
    #expect(bench.monitor().decisive.reason == .noSession(.own))
  }

  @Test func `while logind is away it is locked, and afterwards as logind says`() throws {
    try bench.configure(.logind(.own))
    let monitor = bench.monitor()
    #expect(monitor.state == .unlocked)
    try order("leave")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decisive.reason == .logindGone)
    try order("enter")
    #expect(monitor.becomes(.unlocked))
  }

  @Test func `when the bus goes away it is locked, with the reason`() throws {
    try bench.configure(.logind(.own))
    let monitor = bench.monitor()
    #expect(monitor.state == .unlocked)
    bus.end()
    #expect(monitor.becomes(.locked))
    guard case .busGone = monitor.decisive.reason else {
      Issue.record("\(monitor.decisive.reason)")
      return
    }
    #expect(monitor.decisive.reason.description.contains("the system bus cannot be reached"))
  }

  @Test func `an unlock asks the locker and believes only it`() throws {
    try bench.configure(.logind(.own))
    try order("hint 1")
    let monitor = bench.monitor()
    try monitor.unlock()
    #expect(logind.hear() == "unlock called")
    #expect(monitor.state == .locked)
    try order("hint 0")
    #expect(monitor.becomes(.unlocked))
  }

  @Test func `another program's signals, made to look like logind's, unlock nothing`() throws {
    try bench.configure(.logind(.own))
    let monitor = bench.monitor()
    try order("lock")
    #expect(monitor.becomes(.locked))
    try runShell(
      """
      dbus-send --bus=unix:path='\(bench.directory)/bus' --type=signal \\
        /org/freedesktop/login1/session/c1 org.freedesktop.login1.Session.Unlock
      """
    )
    monitor.wait(milliseconds: 300) { $0.state == .unlocked }
    #expect(monitor.state == .locked)
    try order("unlock")
    #expect(monitor.becomes(.unlocked))
  }
}

@Suite struct NoBusTests {
  @Test func `without a bus it is locked at once`() throws {
    let bench = try LockBench()
    try bench.configure(.logind(.own))
    let monitor = LockMonitor(root: bench.directory, surroundings: bench.surroundings)
    #expect(monitor.state == .locked)
    #expect(monitor.decisive.reason == .busGone(.noSuchFile))
  }
}
