// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import UserAuthentication

/// PAM with services in a directory of the test.
@Suite(.timeLimit(.minutes(20))) struct PAMTests {
  private let harness: AuthenticationHarness

  init() throws { harness = try AuthenticationHarness() }

  /// Writes the service and returns the authenticator that uses it.
  private func service(_ lines: String...) throws -> AuthenticatorChoice {
    try harness.write("darkroom", lines.joined(separator: "\n") + "\n", mode: 0o644)
    return .pam(service: "darkroom", directory: harness.directory)
  }

  /// Returns a service with a password file.
  private func matrix() throws -> AuthenticatorChoice {
    let user = try #require(CurrentProcess.userName)
    let passwords = try harness.write("passwords", "\(user):right password:darkroom\n")
    let module = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so"
    return try service(
      "auth required \(module) passdb=\(passwords)",
      "account required \(module) passdb=\(passwords)"
    )
  }

  @Test func `accepts the correct password and rejects a wrong one`() throws {
    let matrix = try matrix()
    #expect(try harness.attempt(matrix, "right password\n") == .succeeded)
    #expect(try harness.attempt(matrix, "wrong password\n") == .failed)
    #expect(try harness.attempt(matrix, "\n") == .failed)
    #expect(try harness.failures() == 2)
  }

  @Test func `fails if the account is not permitted, regardless of the password`() throws {
    let answer = try service("auth required pam_permit.so", "account required pam_deny.so")
    #expect(try harness.attempt(answer) == .failed)
  }

  @Test func `does not fall back to another service if the service is missing`() throws {
    try harness.write("other", "auth required pam_permit.so\naccount required pam_permit.so\n", mode: 0o644)
    guard
      case .unavailable(let reason) = try harness.attempt(
        .pam(service: "missing", directory: harness.directory)
      )
    else {
      Issue.record("another service was asked")
      return
    }
    #expect(reason.contains("missing"))
  }

  @Test func `a module that cannot be loaded is not a success`() throws {
    let broken = try service("auth required pam_of_nobody.so", "account required pam_permit.so")
    guard case .unavailable = try harness.attempt(broken) else {
      Issue.record("it was decided")
      return
    }
  }

  @Test func `cancelling an attempt abandons a hanging module and kills its program`()
    throws
  {
    let hang = try harness.script(
      "echo $$ >'\(harness.directory)/pid'; touch '\(harness.directory)/on'; exec sleep 1000"
    )
    let choice = try service("auth required pam_exec.so quiet \(hang)", "account required pam_permit.so")
    let authenticator = UserAuthenticator(
      paths: harness.paths,
      configuration: AuthenticationConfiguration(choice),
      prompt: nil,
      errors: 2
    )
    let attempt = authenticator.begin(reason: "to test")
    try harness.waitFor("on")
    #expect(attempt.result == nil)
    attempt.cancel()
    #expect(attempt.result == .cancelled)
    try harness.expectExited("pid")
  }

  @Test func `times out a hanging module`() throws {
    let hang = try harness.script("echo $$ >'\(harness.directory)/pid'; exec sleep 1000")
    let choice = try service("auth required pam_exec.so quiet \(hang)", "account required pam_permit.so")
    #expect(try harness.attempt(choice, timeLimit: 1) == .timedOut)
    try harness.expectExited("pid")
  }

  @Test func `a killed helper does not decide the attempt`() throws {
    let choice = try service("auth required pam_permit.so", "account required pam_permit.so")
    #expect(try harness.attempt(choice) == .succeeded)
    let killed = try harness.script("kill -KILL $$")
    let method = PAMMethod(service: "darkroom", directory: harness.directory, helper: killed)
    let authenticator = UserAuthenticator(
      paths: harness.paths,
      method: method,
      timeLimit: 30,
      prompt: nil,
      errors: 2
    )
    #expect(
      try authenticator.begin(reason: "to test").wait()
        == .unavailable("darkroom-pam exited without a result")
    )
  }
}
