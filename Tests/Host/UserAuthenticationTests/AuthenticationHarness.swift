// SPDX-License-Identifier: Apache-2.0

import Digests
import LinuxPrimitives
import TestSupport
import Testing

@testable import UserAuthentication

/// A temporary state root for one test.
final class AuthenticationHarness {
  /// The path of the state root.
  let directory: String
  /// The paths in the state root.
  var paths: AuthenticationPaths { AuthenticationPaths(root: directory) }
  /// A passcode with a fast key derivation.
  var passcode: Passcode {
    get throws { Passcode(paths, work: try #require(ScryptWorkFixture.small)) }
  }

  init() throws {
    directory = "/tmp/darkroom-authentication-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String, mode: UInt32 = 0o600) throws -> String {
    try FileSystem.replaceContents("\(directory)/\(name)", with: Array(text.utf8), mode: mode)
    return "\(directory)/\(name)"
  }

  /// Writes a script and returns its path.
  func script(_ text: String) throws -> String {
    let path = try write("program", "#!/bin/sh\n\(text)\n", mode: 0o700)
    try replaceWithCopy(path)
    return path
  }

  /// Runs one attempt and returns its outcome.
  func attempt(_ choice: AuthenticatorChoice, _ answers: String = "", timeLimit: Int = 30) throws
    -> AuthenticationOutcome
  {
    let configuration = AuthenticationConfiguration(choice, timeLimit: timeLimit)
    return try attempt(configuration, answers)
  }

  /// Runs one attempt whose answers are lines of a pipe.
  func attempt(_ configuration: AuthenticationConfiguration, _ answers: String) throws
    -> AuthenticationOutcome
  {
    let pipe = try Pipe.make()
    try pipe.writeEnd.writeAll(Array(answers.utf8))
    let reading = pipe.takeReadEnd()
    let prompt = DescriptorPrompt(reading.rawValue)
    let authenticator = UserAuthenticator(
      paths: paths,
      configuration: configuration,
      prompt: prompt,
      errors: 2
    )
    return try authenticator.begin(reason: "to test").wait()
  }

  /// Returns the number of counted failures.
  func failures() throws -> Int {
    let bytes = try FileSystem.contents(paths.attemptsFile) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.contains("failures") })
    return try #require(Int(line.filter(\.isNumber)))
  }
}

extension UserAuthenticationAttempt {
  /// Waits for the outcome.
  func wait() throws -> AuthenticationOutcome {
    while true {
      if let result { return result }
      let found = try Poller.wait([(descriptor, .readable)], until: TestTimeout.deadline)
      try #require(found[0].contains(.readable), "it was never decided")
    }
  }
}

/// Key derivation parameters for tests.
enum ScryptWorkFixture {
  /// The parameters need 2 KiB of memory and almost no time.
  static let small = ScryptParameters(costExponent: 4, blockSize: 8, parallelization: 1)
}
