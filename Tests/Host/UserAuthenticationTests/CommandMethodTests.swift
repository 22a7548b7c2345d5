// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

@testable import UserAuthentication

@Suite(.timeLimit(.minutes(20))) struct CommandMethodTests {
  private let harness: AuthenticationHarness

  init() throws { harness = try AuthenticationHarness() }

  @Test(arguments: [
    (0, AuthenticationOutcome.succeeded), (1, .failed), (2, .cancelled), (3, .tooManyAttempts),
    (124, .timedOut),
  ])
  func `maps the exit code to the authentication result`(code: Int, outcome: AuthenticationOutcome) throws {
    #expect(try harness.attempt(.command([try harness.script("exit \(code)")], variables: [])) == outcome)
  }

  @Test(arguments: ["exit 4", "exit 126", "kill -KILL $$", "kill -TERM $$"])
  func `any other exit status is not a success and counts as a failure`(script: String) throws {
    guard case .unavailable = try harness.attempt(.command([try harness.script(script)], variables: []))
    else {
      Issue.record("it was decided")
      return
    }
    #expect(try harness.failures() == 1, "and it counts")
  }

  @Test func `passes only the reason and the named variables to the program`() throws {
    let program = try harness.script(
      "env >'\(harness.directory)/env'; ls /proc/self/fd >'\(harness.directory)/fds'; cat; exit 0"
    )
    let leak = try FileSystem.open("/dev/null", .read).duplicate(atLeast: 50)
    #expect(try harness.attempt(.command([program], variables: ["HOME"])) == .succeeded)
    let text = String(decoding: try FileSystem.contents("\(harness.directory)/env") ?? [], as: UTF8.self)
    let names = Set(
      text.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) }
    )
    #expect(
      names.isSubset(of: ["PATH", "DARKROOM_REASON", "HOME", "PWD", "_", "OLDPWD", "SHLVL"]),
      "\(names)"
    )
    #expect(text.contains("DARKROOM_REASON=to test"))
    let open = String(decoding: try FileSystem.contents("\(harness.directory)/fds") ?? [], as: UTF8.self)
    #expect(open.split(separator: "\n").compactMap { Int($0) }.allSatisfy { $0 <= 3 }, "\(open)")
    _ = consume leak
  }

  @Test func `shows the standard error of the program to the user`() throws {
    let program = try harness.script("echo touch your key >&2; exit 0")
    let path = try harness.write("errors", "")
    let file = try FileSystem.open(path, .readWrite)
    let authenticator = UserAuthenticator(
      paths: harness.paths,
      configuration: AuthenticationConfiguration(.command([program], variables: [])),
      prompt: nil,
      errors: file.rawValue
    )
    #expect(try authenticator.begin(reason: "to test").wait() == .succeeded)
    #expect(try FileSystem.contents(path) == Array("touch your key\n".utf8))
    _ = consume file
  }

  @Test func `does not run a program that other users can write`() throws {
    let program = try harness.script("exit 0")
    try FileSystem.open(program, .read).setPermissions(0o777)
    guard case .unavailable(let reason) = try harness.attempt(.command([program], variables: [])) else {
      Issue.record("it was asked")
      return
    }
    #expect(reason.contains("other users must not be able to write"))
  }

  @Test func `kills a hanging program and its children at the time limit`() throws {
    let program = try harness.script("sleep 1000 & echo $! >'\(harness.directory)/pid'; sleep 1000")
    #expect(try harness.attempt(.command([program], variables: []), timeLimit: 1) == .timedOut)
    try harness.expectExited("pid")
  }

  @Test func `cancelling decides at once and kills the program`() throws {
    let program = try harness.script(
      "sleep 1000 & echo $! >'\(harness.directory)/pid'; touch '\(harness.directory)/on'; sleep 1000"
    )
    let configuration = AuthenticationConfiguration(.command([program], variables: []))
    let authenticator = UserAuthenticator(
      paths: harness.paths,
      configuration: configuration,
      prompt: nil,
      errors: 2
    )
    let attempt = authenticator.begin(reason: "to test")
    try harness.waitFor("on")
    #expect(attempt.result == nil)
    attempt.cancel()
    #expect(attempt.result == .cancelled)
    #expect(try attempt.wait() == .cancelled)
    try harness.expectExited("pid")
    #expect(try harness.failures() == 1, "a cancelled attempt counts as a failure")
  }

  @Test func `cancels an attempt that is no longer referenced`() throws {
    let program = try harness.script(
      "echo $$ >'\(harness.directory)/pid'; touch '\(harness.directory)/on'; exec sleep 1000"
    )
    let configuration = AuthenticationConfiguration(.command([program], variables: []))
    let authenticator = UserAuthenticator(
      paths: harness.paths,
      configuration: configuration,
      prompt: nil,
      errors: 2
    )
    var attempt: UserAuthenticationAttempt? = authenticator.begin(reason: "to test")
    try harness.waitFor("on")
    #expect(attempt?.result == nil)
    attempt = nil
    try harness.expectExited("pid")
  }
}

extension AuthenticationHarness {
  /// Waits until a file exists.
  func waitFor(_ name: String) throws {
    #expect(
      try TestTimeout.waitUntil { try FileSystem.status("\(directory)/\(name)") != nil },
      "\(name) never came"
    )
  }

  /// Expects that the process whose PID is in a file exits.
  func expectExited(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let text = String(decoding: try FileSystem.contents("\(directory)/\(name)") ?? [], as: UTF8.self)
    let process = try #require(Int32(text.filter(\.isNumber)), sourceLocation: sourceLocation)
    let hasExited = TestTimeout.waitUntil {
      let stat =
        (try? FileSystem.open("/proc/\(process)/stat", .read).readAll(limit: 4096)).flatMap { $0 } ?? []
      // A zombie process has exited, but is not reaped yet.
      return stat.isEmpty || String(decoding: stat, as: UTF8.self).contains(") Z ")
    }
    #expect(hasExited, "\(process) still runs", sourceLocation: sourceLocation)
  }
}
