// SPDX-License-Identifier: Apache-2.0

/// Asks the person who they are.
package protocol Authenticating: AnyObject {
  /// Begins to ask, and never waits. `reason` says for what, as the end of a sentence for people.
  func begin(reason: String) -> any AuthenticationAttempt
}

/// One time that the person is asked. Dropping it is the same as cancelling it.
package protocol AuthenticationAttempt: AnyObject {
  /// Readable when it is decided.
  var descriptor: Int32 { get }
  /// What came of it; nil while it is not decided.
  var result: AuthenticationResult? { get }
  /// Nobody wants to know any more.
  func cancel()
}

/// What came of asking the person who they are.
package enum AuthenticationResult: Hashable, Sendable {
  /// They have proved it.
  case succeeded
  /// What they gave is not theirs.
  case failed
  /// They did not want to.
  case cancelled
  /// They took too long.
  case timedOut
  /// It was tried too often.
  case tooManyAttempts
  /// Nobody here asks.
  case nobodyAsks
  /// This machine cannot ask, for this reason, which can name places of the host.
  case unavailable(String)
}
