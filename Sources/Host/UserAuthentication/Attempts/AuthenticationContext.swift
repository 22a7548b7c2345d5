// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The context of one authentication attempt.
struct AuthenticationContext {
  /// The reason for the prompt, as a sentence for the user.
  let reason: String
  /// The prompt, or `nil` if the user cannot be prompted.
  let prompt: (any PasswordPrompt)?
  /// The time limit.
  let timeout: Timeout
  /// The user's standard error, for other output of external programs.
  let errors: Int32
  /// The limiter that counts attempts.
  let limiter: AttemptLimiter
  /// Returns a variable of the user's environment.
  var environment: @Sendable (String) -> String? = { CurrentProcess.environment($0) }

  /// Durably counts this attempt as failed before it is decided, so that killing the host does not help an
  /// attacker. Returns an outcome if the attempt must not continue.
  func charge() -> AuthenticationOutcome? {
    do { return try limiter.charge() ? nil : .tooManyAttempts } catch { return .unavailable("\(error)") }
  }

  /// Takes back the count of an attempt that gave an attacker no information.
  func refund() {
    // If this fails, the user only has to wait longer.
    try? limiter.refund()
  }
}

/// A method of authentication. It runs on a separate thread and may block within its time limit.
protocol AuthenticationMethod: Sendable {
  /// Prompts the user and decides the attempt.
  func decide(_ context: AuthenticationContext) -> AuthenticationOutcome
  /// The reason and the fix if the method is known to be unavailable, or `nil`.
  var unavailabilityReason: String? { get }
}

extension AuthenticationMethod {
  /// By default, a method has no known reason to be unavailable.
  var unavailabilityReason: String? { nil }
}
