// SPDX-License-Identifier: Apache-2.0

internal import Digests
internal import LinuxPrimitives
internal import SessionStore
internal import UserAuthentication

/// Darkroom's own passcode, which ``AuthenticatorSelection/standard`` verifies unless the state directory
/// configures another method.
///
/// The passcode is stored as a salted scrypt digest. Wrong passcodes count like those of an authentication:
/// after several of them, the user has to wait.
public struct HostPasscode: Sendable {
  private let root: StateRoot

  /// Creates the passcode of a state directory.
  init(_ root: StateRoot) { self.root = root }

  private var paths: AuthenticationPaths { AuthenticationPaths(root: root.path) }

  /// Returns whether a passcode is set.
  public func isSet() async throws(HostError) -> Bool {
    let paths = paths
    return try await HostThread.run { () throws(HostError) in Passcode(paths).isSet }
  }

  /// Verifies a passcode without other effects than those of an authentication: several wrong passcodes make
  /// the user wait.
  ///
  /// - Parameter passcode: The passcode that the user has entered.
  ///
  /// - Returns: The result of the verification.
  ///
  /// - Throws: ``HostError/argument(_:)`` if no passcode is set.
  public func verify(_ passcode: String) async throws(HostError) -> UserAuthenticationResult {
    let paths = paths
    return try await HostThread.run { () throws(HostError) in
      guard Passcode(paths).isSet else {
        throw .argument(.init("no passcode is set; set a passcode with HostPasscode.set(_:current:)"))
      }
      return try Self.verify(passcode, paths)
    }
  }

  /// Sets or replaces the passcode.
  ///
  /// - Parameters:
  ///   - new: The new passcode, of 4 to 1024 bytes.
  ///   - current: The current passcode, which is required if one is set.
  ///
  /// - Returns: ``UserAuthenticationResult/succeeded`` if the passcode is set, or the result of the
  ///   verification of the current passcode.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the new passcode is too short or too long.
  public func set(_ new: String, current: String? = nil) async throws(HostError) -> UserAuthenticationResult {
    let paths = paths
    return try await HostThread.run { () throws(HostError) in
      let result = try Self.verify(current, paths)
      guard result == .succeeded else { return result }
      guard let secret = PasscodeAnswer.secret(new) else {
        throw .argument(.init("the passcode is too long or contains a zero byte; use at most 1024 bytes"))
      }
      do throws(AuthenticationError) { try Passcode(paths).set(secret) } catch { throw HostError(error) }
      return result
    }
  }

  /// Removes the passcode. Afterwards, only PAM or a program can authenticate the user.
  ///
  /// - Parameter current: The current passcode, which is required if one is set.
  ///
  /// - Returns: ``UserAuthenticationResult/succeeded`` if no passcode is set, or the result of the
  ///   verification of the current passcode.
  ///
  /// - Throws: ``HostError/store(_:)`` if the passcode cannot be removed.
  public func clear(current: String? = nil) async throws(HostError) -> UserAuthenticationResult {
    let paths = paths
    return try await HostThread.run { () throws(HostError) in
      let result = try Self.verify(current, paths)
      guard result == .succeeded else { return result }
      do throws(AuthenticationError) { try Passcode(paths).clear() } catch { throw HostError(error) }
      return result
    }
  }

  /// Verifies the current passcode. The result is a success if none is set.
  private static func verify(
    _ current: String?,
    _ paths: AuthenticationPaths
  ) throws(HostError) -> UserAuthenticationResult {
    guard Passcode(paths).isSet else { return .succeeded }
    let authenticator = UserAuthenticator(
      paths: paths,
      configuration: AuthenticationConfiguration(.passcode),
      prompt: PasscodeAnswer(current ?? ""),
      errors: 2
    )
    let attempt = authenticator.begin(reason: "")
    while true {
      if let outcome = attempt.result { return UserAuthenticationResult(outcome) }
      do throws(SystemCallError) { _ = try Poller.wait([(attempt.descriptor, .readable)]) } catch {
        throw HostError(error)
      }
    }
  }
}

/// A prompt that answers each question with a passcode of the embedding program.
private final class PasscodeAnswer: PasswordPrompt {
  private let answer: String

  /// Creates a prompt with its answer.
  init(_ answer: String) { self.answer = answer }

  /// Returns a text as a secret, or `nil` if the text is too long or contains a zero byte, which some
  /// authentication methods treat as the end.
  static func secret(_ text: String) -> SecretBytes? {
    var secret = SecretBytes()
    for byte in text.utf8 {
      guard byte != 0, secret.append(byte) else { return nil }
    }
    return secret
  }

  func ask(_ question: PromptQuestion, _ timeout: Timeout) -> PromptAnswer {
    guard let secret = Self.secret(answer) else {
      return .unavailable("the passcode is too long or contains a zero byte; use at most 1024 bytes")
    }
    return .secret(secret)
  }

  func show(_ text: String) {}

  func restore() {}
}

extension UserAuthenticationResult {
  /// Creates a result from the outcome of an attempt.
  fileprivate init(_ outcome: AuthenticationOutcome) {
    switch outcome {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    case .timedOut: self = .timedOut
    case .tooManyAttempts: self = .tooManyAttempts
    case .unavailable(let reason): self = .unavailable(reason)
    }
  }
}

extension HostError {
  /// Creates an error from an error of the authentication files.
  fileprivate init(_ error: AuthenticationError) {
    let message = "\(error)"
    switch error {
    case .tooShort: self = .argument(Failure(message))
    case .system(let cause): self = .system(Failure(message, cause))
    case .damaged, .configuration, .notPrivate, .digest: self = .store(Failure(message))
    }
  }
}
