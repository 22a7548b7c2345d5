// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of reading the seccomp filters of a running session from another process.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestUser.hasRoot), .waiting) struct ProcessFilterTests {
  /// Returns the last process in the chain of first children.
  private func lastDescendant(_ process: Int32) -> Int32 {
    guard let facts = ProcessFacts(process) else { return process }
    for thread in facts.threads {
      if let child = facts.children(of: thread).first { return lastDescendant(child) }
    }
    return process
  }

  @Test(arguments: TestUser.available)
  func `root can read the installed filters of a session, which match the policy`(user: TestUser) throws {
    let home = try TestHome(user)
    let reader = try TestHome(.root)
    let host = try home.startDarkroom(
      "exec",
      ["--app", TestHome.app, "--policy", "base", "--", "/usr/bin/sleep", "600"]
    )
    var process: Int32 = 0
    try host.wait {
      let sessions = try home.json(home.darkroom("ps", ["--json"]).output)["sessions"]?.elements
      guard let id = sessions?.first?["hostProcess"]?.integer else { return false }
      process = lastDescendant(Int32(id))
      return try FileSystem.contents("/proc/\(process)/comm", limit: 64) == Array("sleep\n".utf8)
    }
    let installed = try reader.darkroom("policy", ["disassemble", "base", "--installed"])
    let found = try reader.darkroom("policy", ["disassemble", "--pid", "\(process)"])
    #expect(found.code == 0 && found.text == installed.text, "\(found.errors)")
    let verified = try reader.darkroom(
      "policy",
      ["verify", "--pid", "\(process)", "--notifications", "refused"]
    )
    #expect(verified.code == 0 && verified.text.contains("Everything is proved"), "\(verified.text)")
    let difference = try reader.darkroom(
      "policy",
      ["diff", "base", "pid:\(process)", "--notifications", "refused", "--fail-if-weaker"]
    )
    #expect(difference.code == 0, "\(difference.text)")
    // The process continues without a tracer.
    #expect(ProcessFacts(process)?.tracing?.tracer == nil)
    host.signal(15)
    _ = try host.end()
  }

  @Test(.enabled(if: TestUser.available.contains { $0 != .root }))
  func `an unprivileged user gets an error with the fix`() throws {
    let user = try #require(TestUser.available.first { $0 != .root })
    let home = try TestHome(user)
    let host = try home.startDarkroom(
      "exec",
      ["--app", TestHome.app, "--policy", "base", "--", "/usr/bin/sleep", "600"]
    )
    var process: Int32 = 0
    try host.wait {
      let sessions = try home.json(home.darkroom("ps", ["--json"]).output)["sessions"]?.elements
      guard let id = sessions?.first?["hostProcess"]?.integer else { return false }
      process = lastDescendant(Int32(id))
      return try FileSystem.contents("/proc/\(process)/comm", limit: 64) == Array("sleep\n".utf8)
    }
    let result = try home.darkroom("policy", ["explain", "--pid", "\(process)", "read"])
    #expect(result.code == 71 && result.errors.contains("run darkroom as root"), "\(result.errors)")
    host.signal(15)
    _ = try host.end()
  }
}
