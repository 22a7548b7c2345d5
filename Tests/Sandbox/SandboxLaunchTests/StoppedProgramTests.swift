// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import Testing

/// Programs that are stopped before their first instruction, for a debugger.
@Suite struct StoppedProgramTests {
  @Test func `a stopped program is not traced and runs when it is resumed`()
    throws
  {
    let pipe = try Pipe.make()
    var plan = SandboxLauncherTests.plan("echo here; exit 7", output: pipe.writeEnd.rawValue)
    plan.program.start = .stopped
    let process = try SandboxLauncher.launch(plan)
    let stopped = process.findings.stopped
    let number = try #require(stopped)
    guard let facts = ProcessFacts(number) else {
      Issue.record("the process should exist")
      return
    }
    // The stop may still be pending when the launch returns.
    while facts.tracing?.isStopped == false {}
    let tracing = facts.tracing
    #expect(tracing?.isStopped == true)
    #expect(tracing?.tracer == nil)
    // Only the kernel's mappings exist: the program and its interpreter, and no library.
    let maps = String(
      decoding: try FileSystem.open("/proc/\(number)/maps", .read).readAll(limit: 1 << 20) ?? [],
      as: UTF8.self
    )
    #expect(maps.contains("/usr/bin/") && !maps.contains("libc.so"), "\(maps)")

    try process.signalExtension(.resume)
    let readEnd = pipe.takeReadEnd()
    #expect(try readEnd.readAll(limit: 100) == Array("here\n".utf8))
    #expect(try process.reap().status == .exited(7))
  }

  @Test func `a stopped program is killed with its session`() throws {
    let pipe = try Pipe.make()
    var plan = SandboxLauncherTests.plan("exit 7", output: pipe.writeEnd.rawValue)
    plan.program.start = .stopped
    let process = try SandboxLauncher.launch(plan)
    try process.kill()
    #expect(try process.reap().status == .signaled(.kill))
    let readEnd = pipe.takeReadEnd()
    #expect(try readEnd.readAll(limit: 10) == [])
  }

  @Test func `a launch that fails at execve while traced reports its step and leaves no process`() throws {
    let pipe = try Pipe.make()
    var plan = SandboxLauncherTests.plan("", output: pipe.writeEnd.rawValue)
    plan.program.start = .stopped
    plan.program.path = "/bin/no-such-program"
    let error = #expect(throws: SandboxLaunchError.self) { _ = try SandboxLauncher.launch(plan).reap() }
    guard case .child(let failure) = error else {
      Issue.record("the child should have reported")
      return
    }
    #expect(failure.step == "executeExtension")
    let readEnd = pipe.takeReadEnd()
    #expect(try readEnd.readAll(limit: 10) == [])
  }

  @Test func `a launch that fails before tracing reports its step`() throws {
    var plan = SandboxLauncherTests.plan("", output: 2)
    plan.program.start = .stopped
    plan.root.append(.bind(source: "/no/such/place", target: "x", [.readOnly]))
    let error = #expect(throws: SandboxLaunchError.self) { _ = try SandboxLauncher.launch(plan).reap() }
    #expect(error?.description.contains("/no/such/place") == true)
  }
}
