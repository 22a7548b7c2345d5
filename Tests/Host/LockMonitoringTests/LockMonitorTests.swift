// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import LockMonitoring
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct LockMonitorTests {
  private let bench: LockBench

  init() throws { bench = try LockBench() }

  @Test func `without any configuration it is unlocked until somebody locks`() throws {
    let monitor = bench.monitor()
    #expect(monitor.state == .unlocked)
    #expect(monitor.decisive.reason == .neverLocked)
    try bench.control.lock()
    #expect(monitor.becomes(.locked))
    try bench.control.unlock()
    #expect(monitor.becomes(.unlocked))
    try bench.control.lock()
    #expect(bench.monitor().state == .locked, "another process sees it, too")
  }

  @Test func `the descriptor is quiet until something happens, and again when it was taken in`() throws {
    let monitor = bench.monitor()
    monitor.refresh()
    let descriptor = try #require(monitor.descriptor)
    func isReadable(_ milliseconds: UInt64) throws -> Bool {
      let deadline = MonotonicClock.now + milliseconds * 1_000_000
      return try Poller.wait([(descriptor, .readable)], until: deadline)[0].contains(.readable)
    }
    // A process that a concurrent test has just forked can close an inherited copy of the file a little
    // later.
    func isQuiet() throws -> Bool {
      try TestPatience.comes {
        monitor.refresh()
        return try !isReadable(50)
      }
    }
    #expect(try isQuiet())
    try bench.control.lock()
    #expect(try isReadable(20_000))
    monitor.refresh()
    #expect(monitor.state == .locked)
    #expect(try isQuiet())
  }

  @Test func `another program's file is followed through every way of writing it`() throws {
    let path = "\(bench.directory)/run/deep/lock"
    try bench.configure(.file(path))
    let monitor = bench.monitor()
    #expect(monitor.decisive.reason == .absent(path: path))
    try FileSystem.makeDirectories("\(bench.directory)/run/deep")
    try bench.write("run/deep/lock", "unlocked\n")
    #expect(monitor.becomes(.unlocked))
    try bench.write("run/deep/lock", "locked")
    #expect(monitor.becomes(.locked))
    try FileSystem.open(path, [.write, .truncate]).writeAll(Array("unlocked".utf8))
    #expect(monitor.becomes(.unlocked))
    try FileSystem.unlink(path)
    #expect(monitor.becomes(.locked))
    try bench.write("run/deep/lock", "unlocked\n")
    #expect(monitor.becomes(.unlocked))
    try FileSystem.removeTree("\(bench.directory)/run")
    #expect(monitor.becomes(.locked))
    try FileSystem.makeDirectories("\(bench.directory)/run/deep")
    try bench.write("run/deep/lock", "unlocked\n")
    #expect(monitor.becomes(.unlocked))
  }

  @Test(arguments: [
    "", "unl", "unlocked locked", "UNLOCKED", "unlocked\0", "true", String(repeating: "unlocked ", count: 20),
  ])
  func `a file with anything but one word is locked`(text: String) throws {
    try bench.configure(.file("\(bench.directory)/other"))
    try bench.write("other", text)
    #expect(bench.monitor().state == .locked)
    try bench.write("other", " unlocked\n")
    #expect(bench.monitor().state == .unlocked)
  }

  @Test func `a file that somebody else could write is not believed`() throws {
    try bench.configure(.file("\(bench.directory)/other"))
    try bench.write("other", "unlocked", mode: 0o600)
    #expect(bench.monitor().state == .unlocked)
    try FileSystem.open("\(bench.directory)/other", .read).setPermissions(0o666)
    let monitor = bench.monitor()
    #expect(monitor.decisive.reason == .writableByOthers(path: "\(bench.directory)/other"))
    try FileSystem.open("\(bench.directory)/other", .read).setPermissions(0o644)
    #expect(monitor.becomes(.unlocked), "a change of permissions is noticed")
  }

  @Test func `a link, a directory and a pipe are locked, and none of them holds the monitor up`() throws {
    try bench.configure(.file("\(bench.directory)/other"))
    try bench.write("real", "unlocked")
    try FileSystem.makeLink("\(bench.directory)/other", to: "\(bench.directory)/real")
    #expect(bench.monitor().decisive.reason == .notRegular(path: "\(bench.directory)/other", .symbolicLink))
    try FileSystem.unlink("\(bench.directory)/other")
    try FileSystem.makeDirectory("\(bench.directory)/other")
    #expect(bench.monitor().decisive.reason == .notRegular(path: "\(bench.directory)/other", .directory))
  }

  @Test func `of several sources one that says locked is enough`() throws {
    try bench.configure(.file("\(bench.directory)/one"), .file("\(bench.directory)/two"))
    try bench.write("one", "unlocked")
    try bench.write("two", "unlocked")
    let monitor = bench.monitor()
    #expect(monitor.state == .unlocked)
    try bench.write("two", "locked")
    #expect(monitor.becomes(.locked))
    #expect(monitor.decisive.reason == .said(path: "\(bench.directory)/two", .locked))
    try bench.write("two", "unlocked")
    #expect(monitor.becomes(.unlocked))
    try bench.control.lock()
    #expect(monitor.becomes(.locked))
  }

  @Test func `a file that flaps ends as what it says last`() throws {
    let path = "\(bench.directory)/other"
    try bench.configure(.file(path))
    try bench.write("other", "unlocked")
    let monitor = bench.monitor()
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
  func `a configuration that cannot be understood is locked`(text: String) throws {
    try bench.write("lock.json", text)
    let monitor = bench.monitor()
    #expect(monitor.state == .locked)
    #expect(monitor.decisive.reason.description.contains("darkroom lock configure"))
  }

  @Test func `a configuration is read as it was written`() throws {
    let sources: [LockSourceChoice] = [
      .logind(.own), .logind(.id("c1")), .logind(.seat("seat0")), .file("/run/x"),
    ]
    let places = LockPlaces(root: bench.directory)
    try LockConfiguration(sources: sources).write(places)
    #expect(try LockConfiguration.read(places).sources == sources)
  }
}

@Suite struct FirstUnlockTests {
  @Test func `before the first unlock of a boot is known, and an unlock is remembered for that boot only`()
    throws
  {
    let bench = try LockBench()
    try bench.control.lock()
    #expect(bench.monitor().firstUnlock == .pending)
    try bench.control.unlock()
    #expect(bench.monitor().firstUnlock == .done)
    try bench.control.lock()
    #expect(bench.monitor().firstUnlock == .done, "the person was here in this boot")
    bench.surroundings.boot = "the next boot"
    #expect(bench.monitor().firstUnlock == .pending)
  }

  @Test func `a monitor that sees the unlock of another program remembers it`() throws {
    let bench = try LockBench()
    try bench.configure(.file("\(bench.directory)/other"))
    let monitor = bench.monitor()
    #expect(monitor.firstUnlock == .pending)
    try bench.write("other", "unlocked")
    #expect(monitor.becomes(.unlocked))
    #expect(monitor.firstUnlock == .done)
    try bench.write("other", "locked")
    #expect(bench.monitor().firstUnlock == .done)
  }
}
