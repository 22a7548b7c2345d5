// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import UserAuthentication

@Suite(.timeLimit(.minutes(20))) struct PasscodeTests {
  private let harness: AuthenticationHarness

  init() throws {
    harness = try AuthenticationHarness()
    var secret = SecretBytes()
    for byte in "open sesame".utf8 { _ = secret.append(byte) }
    try harness.passcode.set(secret)
  }

  @Test func `accepts only the exact passcode`() throws {
    #expect(try harness.attempt(.passcode, "open sesame\n") == .succeeded)
    for wrong in ["open sesam", "open sesame ", "OPEN SESAME", ""] {
      try harness.passcode.forgetFailures(harness)
      #expect(try harness.attempt(.passcode, "\(wrong)\n") == .failed, "\(wrong)")
    }
  }

  @Test func `rejects an answer that contains a zero byte`() throws {
    guard case .unavailable = try harness.attempt(.passcode, "open sesame\0\n") else {
      Issue.record("it was decided")
      return
    }
  }

  @Test func `the passcode file is readable only by its owner and does not contain the passcode`() throws {
    let status = try #require(try FileSystem.status(harness.paths.passcodeFile))
    #expect(status.permissions == 0o600)
    let text = String(decoding: try FileSystem.contents(harness.paths.passcodeFile) ?? [], as: UTF8.self)
    #expect(!text.contains("sesame"))
    #expect(text.contains("scrypt"))
  }

  @Test func `ignores a passcode file that other users can read`() throws {
    try FileSystem.open(harness.paths.passcodeFile, .read).setPermissions(0o644)
    guard case .unavailable(let reason) = try harness.attempt(.passcode, "open sesame\n") else {
      Issue.record("it was believed")
      return
    }
    #expect(reason.contains("chmod 600"))
  }

  @Test(arguments: ["", "{}", #"{"version":1,"algorithm":"none"}"#])
  func `a damaged passcode file is not a success`(text: String) throws {
    try harness.write("lock/passcode.json", text)
    guard case .unavailable = try harness.attempt(.passcode, "open sesame\n") else {
      Issue.record("it was decided")
      return
    }
  }

  @Test func `does not count an attempt without an answer line`() throws {
    guard case .unavailable = try harness.attempt(.passcode, "") else {
      Issue.record("it was decided")
      return
    }
    #expect(try harness.attempt(.passcode, "wrong\n") == .failed)
    #expect(try harness.failures() == 1)
  }

  @Test func `a passcode has at least four bytes and can be cleared`() throws {
    var short = SecretBytes()
    for byte in "abc".utf8 { _ = short.append(byte) }
    let passcode = try harness.passcode
    #expect(throws: AuthenticationError.tooShort(minimum: 4)) { try passcode.set(short) }
    #expect(try harness.attempt(.automatic, "open sesame\n") == .succeeded)
    try passcode.clear()
    #expect(!passcode.isSet)
    guard case .unavailable(let reason) = try harness.attempt(.passcode, "open sesame\n") else {
      Issue.record("it was decided")
      return
    }
    #expect(reason.contains("darkroom passcode set"))
  }
}

extension Passcode {
  /// Resets the failure count.
  func forgetFailures(_ harness: AuthenticationHarness) throws {
    try AttemptLimiter(paths: harness.paths).reset()
  }
}
