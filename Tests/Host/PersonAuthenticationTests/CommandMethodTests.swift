// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

@testable import PersonAuthentication

@Suite(.timeLimit(.minutes(20))) struct CommandMethodTests {
  private let bench: AuthenticationBench

  init() throws { bench = try AuthenticationBench() }

  @Test(arguments: [
    (0, AuthenticationOutcome.succeeded), (1, .failed), (2, .cancelled), (3, .tooManyAttempts),
    (124, .timedOut),
  ])
  func `the exit code says what came of it`(code: Int, outcome: AuthenticationOutcome) throws {
    #expect(try bench.attempt(.command([try bench.script("exit \(code)")], variables: [])) == outcome)
  }

  @Test(arguments: ["exit 4", "exit 126", "kill -KILL $$", "kill -TERM $$"])
  func `every other end is no yes`(script: String) throws {
    guard case .unavailable = try bench.attempt(.command([try bench.script(script)], variables: [])) else {
      Issue.record("it was decided")
      return
    }
    #expect(try bench.failures() == 1, "and it counts")
  }

  @Test func `the program gets the reason and what is named, and nothing else of this process`() throws {
    let program = try bench.script(
      "env >'\(bench.directory)/env'; ls /proc/self/fd >'\(bench.directory)/fds'; cat; exit 0"
    )
    let leak = try FileSystem.open("/dev/null", .read).duplicate(atLeast: 50)
    #expect(try bench.attempt(.command([program], variables: ["HOME"])) == .succeeded)
    let text = String(decoding: try FileSystem.contents("\(bench.directory)/env") ?? [], as: UTF8.self)
    let names = Set(
      text.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) }
    )
    #expect(
      names.isSubset(of: ["PATH", "DARKROOM_REASON", "HOME", "PWD", "_", "OLDPWD", "SHLVL"]),
      "\(names)"
    )
    #expect(text.contains("DARKROOM_REASON=to test"))
    let open = String(decoding: try FileSystem.contents("\(bench.directory)/fds") ?? [], as: UTF8.self)
    #expect(open.split(separator: "\n").compactMap { Int($0) }.allSatisfy { $0 <= 3 }, "\(open)")
    _ = consume leak
  }

  @Test func `what the program says goes where the person reads it`() throws {
    let program = try bench.script("echo touch your key >&2; exit 0")
    let path = try bench.write("errors", "")
    let file = try FileSystem.open(path, .readWrite)
    let authenticator = PersonAuthenticator(
      places: bench.places,
      configuration: AuthenticationConfiguration(.command([program], variables: [])),
      prompt: nil,
      errors: file.rawValue
    )
    #expect(try authenticator.begin(reason: "to test").wait() == .succeeded)
    #expect(try FileSystem.contents(path) == Array("touch your key\n".utf8))
    _ = consume file
  }

  @Test func `a program that others can write is not asked`() throws {
    let program = try bench.script("exit 0")
    try FileSystem.open(program, .read).setPermissions(0o777)
    guard case .unavailable(let reason) = try bench.attempt(.command([program], variables: [])) else {
      Issue.record("it was asked")
      return
    }
    #expect(reason.contains("nobody else can write"))
  }

  @Test func `a program that hangs is ended with all that it has started when the time is over`() throws {
    let program = try bench.script("sleep 1000 & echo $! >'\(bench.directory)/pid'; sleep 1000")
    #expect(try bench.attempt(.command([program], variables: []), timeLimit: 1) == .timedOut)
    try bench.expectEnded("pid")
  }

  @Test func `cancelling decides at once and ends the program`() throws {
    let program = try bench.script(
      "sleep 1000 & echo $! >'\(bench.directory)/pid'; touch '\(bench.directory)/on'; sleep 1000"
    )
    let configuration = AuthenticationConfiguration(.command([program], variables: []))
    let authenticator = PersonAuthenticator(
      places: bench.places,
      configuration: configuration,
      prompt: nil,
      errors: 2
    )
    let attempt = authenticator.begin(reason: "to test")
    try bench.waitFor("on")
    #expect(attempt.result == nil)
    attempt.cancel()
    #expect(attempt.result == .cancelled)
    #expect(try attempt.wait() == .cancelled)
    try bench.expectEnded("pid")
    #expect(try bench.failures() == 1, "breaking off is no free attempt")
  }

  @Test func `an attempt that nobody refers to any more is given up`() throws {
    let program = try bench.script(
      "echo $$ >'\(bench.directory)/pid'; touch '\(bench.directory)/on'; exec sleep 1000"
    )
    let configuration = AuthenticationConfiguration(.command([program], variables: []))
    let authenticator = PersonAuthenticator(
      places: bench.places,
      configuration: configuration,
      prompt: nil,
      errors: 2
    )
    var attempt: PersonAttempt? = authenticator.begin(reason: "to test")
    try bench.waitFor("on")
    #expect(attempt?.result == nil)
    attempt = nil
    try bench.expectEnded("pid")
  }
}

extension AuthenticationBench {
  /// Waits until a file exists.
  func waitFor(_ name: String) throws {
    #expect(
      try TestPatience.comes { try FileSystem.status("\(directory)/\(name)") != nil },
      "\(name) never came"
    )
  }

  /// Expects that the process whose PID is in a file exits.
  func expectEnded(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let text = String(decoding: try FileSystem.contents("\(directory)/\(name)") ?? [], as: UTF8.self)
    let process = try #require(Int32(text.filter(\.isNumber)), sourceLocation: sourceLocation)
    let hasEnded = TestPatience.comes {
      let stat =
        (try? FileSystem.open("/proc/\(process)/stat", .read).readAll(limit: 4096)).flatMap { $0 } ?? []
      // A zombie process has exited, but is not reaped yet.
      return stat.isEmpty || String(decoding: stat, as: UTF8.self).contains(") Z ")
    }
    #expect(hasEnded, "\(process) still runs", sourceLocation: sourceLocation)
  }
}
