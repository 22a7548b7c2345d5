// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import LockMonitoring
internal import PersonAuthentication

/// The lock monitor is the lock that a session follows.
extension LockMonitor: LockWatching {}

/// The authenticator of a session. It unlocks the machine after a successful attempt.
final class HostAuthenticator: Authenticating {
  private let authenticator: PersonAuthenticator
  private let lock: LockMonitor
  /// A closure that is called with `true` when the user is prompted, and with `false` when the prompt ends.
  var whileAsking: (Bool) -> Void = { _ in }

  /// Creates the authenticator that the state root configures. A success unlocks the lock that the session
  /// follows.
  init(
    root: String,
    lock: LockMonitor,
    prompt: (any PasswordPrompt)?,
    errors: Int32,
    environment: @escaping @Sendable (String) -> String?
  ) {
    authenticator = PersonAuthenticator(root: root, prompt: prompt, errors: errors, environment: environment)
    self.lock = lock
  }

  /// The number of seconds until the next attempt is possible, or 0 if one is possible now.
  var secondsToWait: Int { authenticator.secondsToWait() }

  func begin(reason: String) -> any AuthenticationAttempt {
    whileAsking(true)
    return HostAttempt(authenticator.begin(reason: reason), lock) { [whileAsking] in whileAsking(false) }
  }
}

/// One authentication attempt of a session.
final class HostAttempt: AuthenticationAttempt {
  private let attempt: PersonAttempt
  private let lock: LockMonitor
  private var isUnlocked = false
  private let whenAsked: () -> Void

  /// Wraps an attempt. `whenAsked` is called when the prompt ends, possibly more than once.
  init(_ attempt: PersonAttempt, _ lock: LockMonitor, whenAsked: @escaping () -> Void) {
    self.attempt = attempt
    self.lock = lock
    self.whenAsked = whenAsked
  }

  deinit { whenAsked() }

  var descriptor: Int32 { attempt.descriptor }

  /// The result of the attempt. The first success unlocks, so that the lock is open when the session
  /// continues.
  var result: AuthenticationResult? {
    let result = attempt.result
    if result != nil { whenAsked() }
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
    whenAsked()
  }

  /// Unlocks once. A failure to unlock makes the attempt fail.
  private func unlock() -> AuthenticationResult {
    guard !isUnlocked else { return .succeeded }
    do { try lock.unlock() } catch {
      return .unavailable("it cannot be unlocked: \(error); mend the permissions of the state root")
    }
    isUnlocked = true
    return .succeeded
  }
}
