// SPDX-License-Identifier: Apache-2.0

/// What came of asking a person to show who they are.
package enum AuthenticationOutcome: Hashable, Sendable {
  /// It is the person.
  case succeeded
  /// It is not: a wrong passcode, or a refusal.
  case failed
  /// The person, or the host, has broken off.
  case cancelled
  /// Nothing was decided in time.
  case timedOut
  /// Too many attempts have failed; there is a wait.
  case tooManyAttempts
  /// There is no way to ask or to decide; why, and the mend.
  case unavailable(String)
}
