// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LinuxPrimitives
package import LockMonitoring
package import UserAuthentication

/// The lock monitor is the lock that a session follows.
extension LockMonitor: LockWatching {}

/// The authenticator of a session. It unlocks the machine after a successful attempt.
package final class HostAuthenticator: Authenticating {
  private let authenticator: UserAuthenticator
  private let lock: LockMonitor
  /// A closure that is called with `true` when the user is prompted, and with `false` when the prompt ends.
  package var onPromptChange: (Bool) -> Void = { _ in }

  /// Creates the authenticator that the state root configures. A success unlocks the lock that the session
  /// follows.
  package init(
    root: String,
    lock: LockMonitor,
    prompt: (any PasswordPrompt)?,
    errors: Int32,
    environment: @escaping @Sendable (String) -> String?
  ) {
    authenticator = UserAuthenticator(root: root, prompt: prompt, errors: errors, environment: environment)
    self.lock = lock
  }

  /// The number of seconds until the next attempt is possible, or 0 if one is possible now.
  package var secondsToWait: Int { authenticator.secondsToWait() }

  package func begin(reason: String) -> any AuthenticationAttempt {
    onPromptChange(true)
    return HostAuthenticationAttempt(authenticator.begin(reason: reason), lock) { [onPromptChange] in
      onPromptChange(false)
    }
  }
}

/// One authentication attempt of a session.
final class HostAuthenticationAttempt: AuthenticationAttempt {
  private let attempt: UserAuthenticationAttempt
  private let lock: LockMonitor
  private var isUnlocked = false
  private let onPromptEnd: () -> Void

  /// Wraps an attempt. `onPromptEnd` is called when the prompt ends, possibly more than once.
  init(_ attempt: UserAuthenticationAttempt, _ lock: LockMonitor, onPromptEnd: @escaping () -> Void) {
    self.attempt = attempt
    self.lock = lock
    self.onPromptEnd = onPromptEnd
  }

  deinit { onPromptEnd() }

  var descriptor: Int32 { attempt.descriptor }

  /// The result of the attempt. The first success unlocks, so that the lock is open when the session
  /// continues.
  var result: AuthenticationResult? {
    let result = attempt.result
    if result != nil { onPromptEnd() }
    switch result {
    case nil: return nil
    case .succeeded: return unlock()
    case .failed: return .failed
    case .cancelled: return .cancelled
    case .timedOut: return .timedOut
    case .tooManyAttempts: return .tooManyAttempts
    case .unavailable(let reason): return .unavailable(reason)
    }
  }

  func cancel() {
    attempt.cancel()
    onPromptEnd()
  }

  /// Unlocks once. A failure to unlock makes the attempt fail.
  private func unlock() -> AuthenticationResult {
    guard !isUnlocked else { return .succeeded }
    do { try lock.unlock() } catch {
      return .unavailable("unlocking failed: \(error); check the permissions of the state root")
    }
    isUnlocked = true
    return .succeeded
  }
}
