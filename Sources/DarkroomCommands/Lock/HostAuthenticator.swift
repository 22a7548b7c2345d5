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

  /// Asks as a state root is configured, and unlocks what the session follows.
  init(root: String, lock: LockMonitor, prompt: (any PasswordPrompt)?) {
    authenticator = PersonAuthenticator(root: root, prompt: prompt)
    self.lock = lock
  }

  func begin(reason: String) -> any AuthenticationAttempt {
    HostAttempt(authenticator.begin(reason: reason), lock)
  }
}

/// One time that a session asks the person.
final class HostAttempt: AuthenticationAttempt {
  private let attempt: PersonAttempt
  private let lock: LockMonitor
  private var isUnlocked = false

  /// Takes an attempt over.
  init(_ attempt: PersonAttempt, _ lock: LockMonitor) {
    self.attempt = attempt
    self.lock = lock
  }

  var descriptor: Int32 { attempt.descriptor }

  /// The first success unlocks, so that the session finds the lock open when it goes on.
  var result: AuthenticationResult? {
    switch attempt.result {
    case nil: return nil
    case .succeeded: return unlock()
    case .failed: return .failed
    case .cancelled: return .cancelled
    case .timedOut: return .timedOut
    case .tooManyAttempts: return .tooManyAttempts
    case .unavailable(let reason): return .unavailable(reason)
    }
  }

  func cancel() { attempt.cancel() }

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
