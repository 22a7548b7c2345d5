// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import PersonAuthentication

/// PAM with services in a directory of the test.
@Suite(.timeLimit(.minutes(20))) struct PAMTests {
  private let bench: AuthenticationBench

  init() throws { bench = try AuthenticationBench() }

  /// Writes the service and returns the authenticator that uses it.
  private func service(_ lines: String...) throws -> AuthenticatorChoice {
    try bench.write("darkroom", lines.joined(separator: "\n") + "\n", mode: 0o644)
    return .pam(service: "darkroom", directory: bench.directory)
  }

  /// Returns a service with a password file.
  private func matrix() throws -> AuthenticatorChoice {
    let user = try #require(CurrentProcess.userName)
    let passwords = try bench.write("passwords", "\(user):right password:darkroom\n")
    let module = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so"
    return try service(
      "auth required \(module) passdb=\(passwords)",
      "account required \(module) passdb=\(passwords)"
    )
  }

  @Test func `the right password is a yes and the wrong one a no`() throws {
    let matrix = try matrix()
    #expect(try bench.attempt(matrix, "right password\n") == .succeeded)
    #expect(try bench.attempt(matrix, "wrong password\n") == .failed)
    #expect(try bench.attempt(matrix, "\n") == .failed)
    #expect(try bench.failures() == 2)
  }

  @Test func `an account that may not be used is a no, whatever the password`() throws {
    let answer = try service("auth required pam_permit.so", "account required pam_deny.so")
    #expect(try bench.attempt(answer) == .failed)
  }

  @Test func `a service that is not there is never another one`() throws {
    try bench.write("other", "auth required pam_permit.so\naccount required pam_permit.so\n", mode: 0o644)
    guard
      case .unavailable(let reason) = try bench.attempt(.pam(service: "missing", directory: bench.directory))
    else {
      Issue.record("another service was asked")
      return
    }
    #expect(reason.contains("missing"))
  }

  @Test func `a module that cannot decide is no yes`() throws {
    let broken = try service("auth required pam_of_nobody.so", "account required pam_permit.so")
    guard case .unavailable = try bench.attempt(broken) else {
      Issue.record("it was decided")
      return
    }
  }

  @Test func `a module that hangs is left behind when the attempt is broken off, and its program ends`()
    throws
  {
    let hang = try bench.script(
      "echo $$ >'\(bench.directory)/pid'; touch '\(bench.directory)/on'; exec sleep 1000"
    )
    let choice = try service("auth required pam_exec.so quiet \(hang)", "account required pam_permit.so")
    let authenticator = PersonAuthenticator(
      places: bench.places,
      configuration: AuthenticationConfiguration(choice),
      prompt: nil,
      errors: 2
    )
    let attempt = authenticator.begin(reason: "to test")
    try bench.waitFor("on")
    #expect(attempt.result == nil)
    attempt.cancel()
    #expect(attempt.result == .cancelled)
    try bench.expectEnded("pid")
  }

  @Test func `a module that hangs is timed out`() throws {
    let hang = try bench.script("echo $$ >'\(bench.directory)/pid'; exec sleep 1000")
    let choice = try service("auth required pam_exec.so quiet \(hang)", "account required pam_permit.so")
    #expect(try bench.attempt(choice, timeLimit: 1) == .timedOut)
    try bench.expectEnded("pid")
  }

  @Test func `a helper that is killed decides nothing`() throws {
    let choice = try service("auth required pam_permit.so", "account required pam_permit.so")
    #expect(try bench.attempt(choice) == .succeeded)
    let killed = try bench.script("kill -KILL $$")
    let method = PAMMethod(service: "darkroom", directory: bench.directory, helper: killed)
    let authenticator = PersonAuthenticator(
      places: bench.places,
      method: method,
      timeLimit: 30,
      prompt: nil,
      errors: 2
    )
    #expect(
      try authenticator.begin(reason: "to test").wait() == .unavailable("darkroom-pam ended without a result")
    )
  }
}
