// SPDX-License-Identifier: Apache-2.0

/// A service that authenticates the user.
package protocol Authenticating: AnyObject {
  /// Starts to authenticate the user, without blocking. `reason` is the end of a sentence for the user.
  func begin(reason: String) -> any AuthenticationAttempt
}

/// A running authentication of the user. Releasing the attempt cancels it.
package protocol AuthenticationAttempt: AnyObject {
  /// Readable when the result is known.
  var descriptor: Int32 { get }
  /// The result, or `nil` while it is not known.
  var result: AuthenticationResult? { get }
  /// Cancels the attempt.
  func cancel()
}

/// The result of an authentication.
package enum AuthenticationResult: Hashable, Sendable {
  /// The user was authenticated.
  case succeeded
  /// The credentials are not the user's.
  case failed
  /// The user cancelled.
  case cancelled
  /// The user did not respond in time.
  case timedOut
  /// There were too many attempts.
  case tooManyAttempts
  /// The session has no authentication service.
  case noAuthenticator
  /// Authentication is unavailable on this machine. The reason may contain paths of the host.
  case unavailable(String)
}
