// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of reading the seccomp filters of a running session from another process.
@Suite(.timeLimit(.minutes(20)), .enabled(if: Person.hasRoot), .waiting) struct ProcessFilterTests {
  /// Returns the last process in the chain of first children.
  private func youngest(_ process: Int32) -> Int32 {
    guard let facts = ProcessFacts(process) else { return process }
    for thread in facts.threads {
      if let child = facts.children(of: thread).first { return youngest(child) }
    }
    return process
  }

  @Test(arguments: Person.available)
  func `root reads from a session's process the filters that its policy comes to`(person: Person) throws {
    let place = try Place(person)
    let reader = try Place(.root)
    let host = try place.startDarkroom(
      "exec",
      ["--app", Place.app, "--policy", "base", "--", "/usr/bin/sleep", "600"]
    )
    var process: Int32 = 0
    try host.wait {
      let sessions = try place.json(place.darkroom("ps", ["--json"]).output)["sessions"]?.elements
      guard let id = sessions?.first?["hostProcess"]?.integer else { return false }
      process = youngest(Int32(id))
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

  @Test(.enabled(if: Person.available.contains { $0 != .root }))
  func `an unprivileged user gets an error with the fix`() throws {
    let person = try #require(Person.available.first { $0 != .root })
    let place = try Place(person)
    let host = try place.startDarkroom(
      "exec",
      ["--app", Place.app, "--policy", "base", "--", "/usr/bin/sleep", "600"]
    )
    var process: Int32 = 0
    try host.wait {
      let sessions = try place.json(place.darkroom("ps", ["--json"]).output)["sessions"]?.elements
      guard let id = sessions?.first?["hostProcess"]?.integer else { return false }
      process = youngest(Int32(id))
      return try FileSystem.contents("/proc/\(process)/comm", limit: 64) == Array("sleep\n".utf8)
    }
    let result = try place.darkroom("policy", ["explain", "--pid", "\(process)", "read"])
    #expect(result.code == 71 && result.errors.contains("run darkroom as root"), "\(result.errors)")
    host.signal(15)
    _ = try host.end()
  }
}
