// SPDX-License-Identifier: Apache-2.0

/// A service that authenticates the user, implemented by the program that embeds the host.
///
/// After a success, the host unlocks its configured lock (``LockStateSelection/standard``). A program with
/// its own ``LockStateSource`` changes that source itself.
public protocol Authenticator: Sendable {
  /// Authenticates the user. The task is cancelled if the session ends first.
  ///
  /// - Parameter reason: The purpose for the user, such as `open the app`.
  ///
  /// - Returns: The result.
  func authenticate(reason: String) async -> UserAuthenticationResult
}

/// The result of an authentication.
public enum UserAuthenticationResult: Sendable, Hashable {
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
  /// Authentication is unavailable, with the reason.
  case unavailable(String)
}

/// The service of a host that authenticates the user.
public enum AuthenticatorSelection: Sendable {
  /// No service: requests that require authentication are refused.
  case none
  /// The method that the state directory configures, without a password prompt. It suits methods that prompt
  /// by themselves, such as a command.
  case standard
  /// A service of the embedding program.
  case service(any Authenticator)
}
