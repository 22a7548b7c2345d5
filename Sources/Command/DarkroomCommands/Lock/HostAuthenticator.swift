// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import LockMonitoring
internal import PersonAuthentication

/// A session follows the lock by the monitor as it is.
extension LockMonitor: LockWatching {}

/// Asks the person for a session, and unlocks when it is the person.
final class HostAuthenticator: Authenticating {
  private let authenticator: PersonAuthenticator
  private let lock: LockMonitor
  /// Is told when the person begins and ceases to be asked.
  var whileAsking: (Bool) -> Void = { _ in }

  /// Asks as a state root is configured, and unlocks what the session follows.
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

  /// How many seconds nobody can authenticate for; 0: an attempt may begin now.
  var secondsToWait: Int { authenticator.secondsToWait() }

  func begin(reason: String) -> any AuthenticationAttempt {
    whileAsking(true)
    return HostAttempt(authenticator.begin(reason: reason), lock) { [whileAsking] in whileAsking(false) }
  }
}

/// One time that a session asks the person.
final class HostAttempt: AuthenticationAttempt {
  private let attempt: PersonAttempt
  private let lock: LockMonitor
  private var isUnlocked = false
  private let whenAsked: () -> Void

  /// Takes an attempt over; `whenAsked` is called when the person is asked no more, perhaps more than once.
  init(_ attempt: PersonAttempt, _ lock: LockMonitor, whenAsked: @escaping () -> Void) {
    self.attempt = attempt
    self.lock = lock
    self.whenAsked = whenAsked
  }

  deinit { whenAsked() }

  var descriptor: Int32 { attempt.descriptor }

  /// The first success unlocks, so that the session finds the lock open when it goes on.
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

  /// Unlocks once; a lock that cannot be opened is no success.
  private func unlock() -> AuthenticationResult {
    guard !isUnlocked else { return .succeeded }
    do { try lock.unlock() } catch {
      return .unavailable("it cannot be unlocked: \(error); mend the permissions of the state root")
    }
    isUnlocked = true
    return .succeeded
  }
}
