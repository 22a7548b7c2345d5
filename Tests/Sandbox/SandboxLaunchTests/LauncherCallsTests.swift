// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import Testing

/// The calls of the launcher between the reporting filter and the program pass that filter under any policy.
/// The filter is always that of the session's policy, regardless of prepared sessions.
@Suite(.timeLimit(.minutes(5))) struct LauncherCallsTests {
  /// Returns one filter instruction in the kernel's format.
  private static func instruction(_ code: UInt16, _ ifTrue: UInt8, _ ifFalse: UInt8, _ value: UInt32)
    -> [UInt8]
  {
    withUnsafeBytes(of: code) { Array($0) } + [ifTrue, ifFalse] + withUnsafeBytes(of: value) { Array($0) }
  }

  #if arch(x86_64)
    private static let execve: UInt32 = 59, execveat: UInt32 = 322, brk: UInt32 = 12, uname: UInt32 = 63
  #else
    private static let execve: UInt32 = 221, execveat: UInt32 = 281, brk: UInt32 = 214, uname: UInt32 = 160
  #endif

  /// A filter that allows only the execution of a program.
  private static let execOnlyFilter =
    instruction(0x20, 0, 0, 0) + instruction(0x15, 1, 0, execve) + instruction(0x15, 0, 1, execveat)
    + instruction(0x06, 0, 0, 0x7FFF_0000) + instruction(0x06, 0, 0, 0x0005_0000 | UInt32(EPERM))

  /// Returns a filter that refuses one call.
  private static func filterRefusing(_ number: UInt32) -> [UInt8] {
    instruction(0x20, 0, 0, 0) + instruction(0x15, 0, 1, number)
      + instruction(0x06, 0, 0, 0x0005_0000 | UInt32(EPERM)) + instruction(0x06, 0, 0, 0x7FFF_0000)
  }

  /// Returns a plan that makes the launcher use all of its calls.
  private static func plan(_ content: String, _ null: borrowing Descriptor) -> LaunchPlan {
    var plan = LaunchBrokerTests.plan("exit 7", content: content, output: null.rawValue)
    plan.isolation.mountTable = .hidden
    plan.isolation.clocks = SessionClocks.areSupported ? .startingNow() : nil
    plan.restrictions.landlock = LandlockRuleset(
      files: 0x1FFF,
      network: 0,
      scopes: 0,
      rules: [.init(path: "/usr", access: 0xD), .init(path: "/session", access: 0xD)]
    )
    plan.restrictions.refusals = .reported
    plan.restrictions.filter = execOnlyFilter
    return plan
  }

  /// Returns a permission that both processes of a session have to wait for.
  private static func permission() -> LaunchPermission {
    LaunchPermission {
      MonotonicClock.sleep(milliseconds: 50)
      return true
    }
  }

  /// Expects that the first reported call comes from the program itself.
  private static func expectFirstReportFromProgram(_ process: consuming SandboxedProcess) throws {
    var process = process
    let found = process.takeRefusals()
    let listener = try #require(found)
    // brk(2) is the first call of a dynamically linked program.
    #expect(try listener.next()?.number == Int(brk))
    try process.kill()
    #expect(try process.reap().status == .signaled(.kill))
  }

  @Test func `a filter that allows only execve permits a launch`() throws {
    try LaunchBrokerTests.withDirectory { content in
      let null = try FileSystem.open("/dev/null", .readWrite)
      let plan = Self.plan(content, null)
      try Self.expectFirstReportFromProgram(try SandboxLauncher.launch(plan, permission: Self.permission()))
      let broker = try LaunchBroker()
      for _ in 0..<50 { if broker.prepare(plan) { break } }
      let uses = broker.uses
      try Self.expectFirstReportFromProgram(try broker.launch(plan, permission: Self.permission()))
      #expect(broker.uses == uses + 1)
    }
  }

  @Test func `a filter that allows only execve permits a stopped or single-execution launch`() throws {
    try LaunchBrokerTests.withDirectory { content in
      let null = try FileSystem.open("/dev/null", .readWrite)
      var once = Self.plan(content, null)
      once.program.execution = .once(descriptor: 300)
      try Self.expectFirstReportFromProgram(try SandboxLauncher.launch(once))
      var stopped = Self.plan(content, null)
      stopped.program.start = .stopped
      let process = try SandboxLauncher.launch(stopped)
      try process.kill()
      #expect(try process.reap().status == .signaled(.kill))
    }
  }

  @Test func `a session does not use a process prepared with the filter of another policy`() throws {
    try LaunchBrokerTests.withDirectory { content in
      let null = try FileSystem.open("/dev/null", .readWrite)
      var prepared = Self.plan(content, null)
      prepared.restrictions.filter = Self.filterRefusing(Self.uname)
      let broker = try LaunchBroker()
      for _ in 0..<50 { if broker.prepare(prepared) { break } }
      let uses = broker.uses
      var silent = prepared
      silent.restrictions.refusals = .silent
      #expect(try broker.launch(silent).reap().status == .exited(7))
      for _ in 0..<50 { if broker.prepare(prepared) { break } }
      var other = prepared
      other.restrictions.filter = Self.execOnlyFilter
      try Self.expectFirstReportFromProgram(try broker.launch(other))
      #expect(broker.uses == uses)
    }
  }
}
