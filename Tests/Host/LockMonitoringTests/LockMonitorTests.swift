// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockMonitoring
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct LockMonitorTests {
  private let harness: LockHarness

  init() throws { harness = try LockHarness() }

  @Test func `is unlocked without a configuration until the lock command`() throws {
    let monitor = harness.monitor()
    #expect(monitor.state == .unlocked)
    #expect(monitor.decidingReport.reason == .neverLocked)
    try harness.control.lock()
    #expect(monitor.becomes(.locked))
    try harness.control.unlock()
    #expect(monitor.becomes(.unlocked))
    try harness.control.lock()
    #expect(harness.monitor().state == .locked, "another process sees it, too")
  }

  @Test func `the descriptor is readable only between a change and the next refresh`() throws {
    let monitor = harness.monitor()
    monitor.refresh()
    let descriptor = try #require(monitor.descriptor)
    func isReadable(_ milliseconds: UInt64) throws -> Bool {
      let deadline = MonotonicClock.now + milliseconds * 1_000_000
      return try Poller.wait([(descriptor, .readable)], until: deadline)[0].contains(.readable)
    }
    // A process that a concurrent test has just forked can close an inherited copy of the file a little
    // later.
    func isQuiet() throws -> Bool {
      try TestTimeout.waitUntil {
        monitor.refresh()
        return try !isReadable(50)
      }
    }
    #expect(try isQuiet())
    try harness.control.lock()
    #expect(try isReadable(20_000))
    monitor.refresh()
    #expect(monitor.state == .locked)
    #expect(try isQuiet())
  }

  @Test func `follows a lock file through every way of writing it`() throws {
    let path = "\(harness.directory)/run/deep/lock"
    try harness.configure(.file(path))
    let monitor = harness.monitor()
    #expect(monitor.decidingReport.reason == .absent(path: path))
    try FileSystem.makeDirectories("\(harness.directory)/run/deep")
    try harness.write("run/deep/lock", "unlocked\n")
    #expect(monitor.becomes(.unlocked))
    try harness.write("run/deep/lock", "locked")
    #expect(monitor.becomes(.locked))
    try FileSystem.open(path, [.write, .truncate]).writeAll(Array("unlocked".utf8))
    #expect(monitor.becomes(.unlocked))
    try FileSystem.unlink(path)
    #expect(monitor.becomes(.locked))
    try harness.write("run/deep/lock", "unlocked\n")
    #expect(monitor.becomes(.unlocked))
    try FileSystem.removeTree("\(harness.directory)/run")
    #expect(monitor.becomes(.locked))
    try FileSystem.makeDirectories("\(harness.directory)/run/deep")
    try harness.write("run/deep/lock", "unlocked\n")
    #expect(monitor.becomes(.unlocked))
  }

  @Test(arguments: [
    "", "unl", "unlocked locked", "UNLOCKED", "unlocked\0", "true", String(repeating: "unlocked ", count: 20),
  ])
  func `is locked if the lock file contains anything but one keyword`(text: String) throws {
    try harness.configure(.file("\(harness.directory)/other"))
    try harness.write("other", text)
    #expect(harness.monitor().state == .locked)
    try harness.write("other", " unlocked\n")
    #expect(harness.monitor().state == .unlocked)
  }

  @Test func `is locked if other users can write the lock file`() throws {
    try harness.configure(.file("\(harness.directory)/other"))
    try harness.write("other", "unlocked", mode: 0o600)
    #expect(harness.monitor().state == .unlocked)
    try FileSystem.open("\(harness.directory)/other", .read).setPermissions(0o666)
    let monitor = harness.monitor()
    #expect(monitor.decidingReport.reason == .writableByOthers(path: "\(harness.directory)/other"))
    try FileSystem.open("\(harness.directory)/other", .read).setPermissions(0o644)
    #expect(monitor.becomes(.unlocked), "a change of permissions is noticed")
  }

  @Test func `is locked without blocking if the lock file is a link or a directory`() throws {
    try harness.configure(.file("\(harness.directory)/other"))
    try harness.write("real", "unlocked")
    try FileSystem.makeSymbolicLink("\(harness.directory)/other", to: "\(harness.directory)/real")
    #expect(
      harness.monitor().decidingReport.reason
        == .notRegular(path: "\(harness.directory)/other", .symbolicLink)
    )
    try FileSystem.unlink("\(harness.directory)/other")
    try FileSystem.makeDirectory("\(harness.directory)/other")
    #expect(
      harness.monitor().decidingReport.reason == .notRegular(path: "\(harness.directory)/other", .directory)
    )
  }

  @Test func `is locked if one of several sources is locked`() throws {
    try harness.configure(.file("\(harness.directory)/one"), .file("\(harness.directory)/two"))
    try harness.write("one", "unlocked")
    try harness.write("two", "unlocked")
    let monitor = harness.monitor()
    #expect(monitor.state == .unlocked)
    try harness.write("two", "locked")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decidingReport.reason == .stated(path: "\(harness.directory)/two", .locked))
    try harness.write("two", "unlocked")
    #expect(monitor.becomes(.unlocked))
    try harness.control.lock()
    #expect(monitor.becomes(.locked))
  }

  @Test func `follows the final content of a lock file that changes rapidly`() throws {
    let path = "\(harness.directory)/other"
    try harness.configure(.file(path))
    try harness.write("other", "unlocked")
    let monitor = harness.monitor()
    // The kernel's event queue overflows, which it reports.
    let file = try FileSystem.open(path, [.write])
    for round in 0..<40_000 {
      try file.rewind()
      try file.writeAll(Array((round % 2 == 0 ? "locked  " : "unlocked").utf8))
    }
    #expect(monitor.becomes(.unlocked))
    try file.rewind()
    try file.writeAll(Array("locked  ".utf8))
    #expect(monitor.becomes(.locked))
  }

  @Test(arguments: [
    "nonsense", "{}", "[]", #"{"version":2,"sources":[]}"#,
    #"{"version":1,"sources":[{"kind":"file","path":"relative"}]}"#,
    #"{"version":1,"sources":[{"kind":"telepathy"}]}"#, #"{"version":1,"sources":[],"unlocked":true}"#,
    #"{"version":1,"sources":[{"kind":"logind","session":"c1","seat":"seat0"}]}"#,
  ])
  func `is locked if the configuration is invalid`(text: String) throws {
    try harness.write("lock.json", text)
    let monitor = harness.monitor()
    #expect(monitor.state == .locked)
    #expect(monitor.decidingReport.reason.description.contains("darkroom lock configure"))
  }

  @Test func `a configuration is decoded as encoded`() throws {
    let sources: [LockSourceChoice] = [
      .logind(.own), .logind(.id("c1")), .logind(.seat("seat0")), .file("/run/x"),
    ]
    let paths = LockPaths(root: harness.directory)
    try LockConfiguration(sources: sources).write(paths)
    #expect(try LockConfiguration.read(paths).sources == sources)
  }
}

@Suite struct FirstUnlockTests {
  @Test func `reports whether the first unlock of this boot is pending and remembers it for this boot only`()
    throws
  {
    let harness = try LockHarness()
    try harness.control.lock()
    #expect(harness.monitor().firstUnlock == .pending)
    try harness.control.unlock()
    #expect(harness.monitor().firstUnlock == .done)
    try harness.control.lock()
    #expect(harness.monitor().firstUnlock == .done, "the user has unlocked the screen since boot")
    harness.environment.boot = "the next boot"
    #expect(harness.monitor().firstUnlock == .pending)
  }

  @Test func `remembers an unlock by another program as the first unlock`() throws {
    let harness = try LockHarness()
    try harness.configure(.file("\(harness.directory)/other"))
    let monitor = harness.monitor()
    #expect(monitor.firstUnlock == .pending)
    try harness.write("other", "unlocked")
    #expect(monitor.becomes(.unlocked))
    #expect(monitor.firstUnlock == .done)
    try harness.write("other", "locked")
    #expect(harness.monitor().firstUnlock == .done)
  }
}
