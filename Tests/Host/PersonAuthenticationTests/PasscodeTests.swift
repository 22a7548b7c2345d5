// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import PersonAuthentication

@Suite(.timeLimit(.minutes(20))) struct PasscodeTests {
  private let bench: AuthenticationBench

  init() throws {
    bench = try AuthenticationBench()
    var secret = SecretBytes()
    for byte in "open sesame".utf8 { _ = secret.append(byte) }
    try bench.passcode.set(secret)
  }

  @Test func `only the passcode is the passcode`() throws {
    #expect(try bench.attempt(.passcode, "open sesame\n") == .succeeded)
    for wrong in ["open sesam", "open sesame ", "OPEN SESAME", ""] {
      try bench.passcode.forgetFailures(bench)
      #expect(try bench.attempt(.passcode, "\(wrong)\n") == .failed, "\(wrong)")
    }
  }

  @Test func `an answer with a zero byte is none, so that it is not taken for a shorter one`() throws {
    guard case .unavailable = try bench.attempt(.passcode, "open sesame\0\n") else {
      Issue.record("it was decided")
      return
    }
  }

  @Test func `the file is its owner's alone, and does not hold the passcode`() throws {
    let status = try #require(try FileSystem.status(bench.places.passcodeFile))
    #expect(status.permissions == 0o600)
    let text = String(decoding: try FileSystem.contents(bench.places.passcodeFile) ?? [], as: UTF8.self)
    #expect(!text.contains("sesame"))
    #expect(text.contains("scrypt"))
  }

  @Test func `a file that others could read is not believed`() throws {
    try FileSystem.open(bench.places.passcodeFile, .read).setPermissions(0o644)
    guard case .unavailable(let reason) = try bench.attempt(.passcode, "open sesame\n") else {
      Issue.record("it was believed")
      return
    }
    #expect(reason.contains("chmod 600"))
  }

  @Test(arguments: ["", "{}", #"{"version":1,"algorithm":"none"}"#])
  func `a damaged file is no yes`(text: String) throws {
    try bench.write("lock/passcode.json", text)
    guard case .unavailable = try bench.attempt(.passcode, "open sesame\n") else {
      Issue.record("it was decided")
      return
    }
  }

  @Test func `without a line to read nobody can be asked, and nothing is counted`() throws {
    guard case .unavailable = try bench.attempt(.passcode, "") else {
      Issue.record("it was decided")
      return
    }
    #expect(try bench.attempt(.passcode, "wrong\n") == .failed)
    #expect(try bench.failures() == 1)
  }

  @Test func `a passcode is set of at least four bytes, and can be taken away`() throws {
    var short = SecretBytes()
    for byte in "abc".utf8 { _ = short.append(byte) }
    let passcode = try bench.passcode
    #expect(throws: AuthenticationFault.tooShort(minimum: 4)) { try passcode.set(short) }
    #expect(try bench.attempt(.automatic, "open sesame\n") == .succeeded)
    try passcode.clear()
    #expect(!passcode.isSet)
    guard case .unavailable(let reason) = try bench.attempt(.passcode, "open sesame\n") else {
      Issue.record("it was decided")
      return
    }
    #expect(reason.contains("darkroom passcode set"))
  }
}

extension Passcode {
  /// Resets the failure count.
  func forgetFailures(_ bench: AuthenticationBench) throws {
    try AttemptLimiter(places: bench.places).reset()
  }
}
