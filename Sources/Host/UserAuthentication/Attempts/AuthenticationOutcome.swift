// SPDX-License-Identifier: Apache-2.0

/// The outcome of an authentication attempt.
package enum AuthenticationOutcome: Hashable, Sendable {
  /// The user was authenticated.
  case succeeded
  /// The passcode was wrong, or authentication was refused.
  case failed
  /// The user or the host cancelled the attempt.
  case cancelled
  /// The time limit expired before a decision.
  case timedOut
  /// Too many attempts have failed; the user has to wait.
  case tooManyAttempts
  /// Authentication is unavailable. The string has the reason and the fix.
  case unavailable(String)
}
