// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import LockMonitoring

/// The authenticator of an embedding program, as one session uses it.
final class AuthenticatorAdapter: Authenticating {
  private let service: any Authenticator
  /// The lock that a success unlocks, or `nil` if the program has its own.
  private let lock: LockMonitor?
  /// The event of all attempts. It is created here, because an attempt cannot fail to start.
  private let event: HeldDescriptor

  /// Creates an adapter.
  init(_ service: any Authenticator, unlocking lock: LockMonitor?) throws(SystemCallError) {
    event = HeldDescriptor(try EventCounter.make())
    (self.service, self.lock) = (service, lock)
  }

  func begin(reason: String) -> any AuthenticationAttempt {
    ServiceAuthenticationAttempt(service, reason, event, lock)
  }
}

/// A running authentication by an embedding program.
private final class ServiceAuthenticationAttempt: AuthenticationAttempt {
  private let answer: WatchedValue<UserAuthenticationResult?>
  private let event: HeldDescriptor
  private let task: Task<Void, Never>
  private let lock: LockMonitor?
  private var known: AuthenticationResult?

  init(_ service: any Authenticator, _ reason: String, _ event: HeldDescriptor, _ lock: LockMonitor?) {
    let answer = WatchedValue<UserAuthenticationResult?>(nil)
    (self.answer, self.event, self.lock) = (answer, event, lock)
    task = Task {
      let result = await service.authenticate(reason: reason)
      answer.change { $0 = result }
      try? EventCounter.add(to: event.descriptor)
    }
  }

  deinit { task.cancel() }

  var descriptor: Int32 { event.rawValue }

  var result: AuthenticationResult? {
    // A cancelled attempt may have added to the event, which is therefore reset before the answer is read.
    _ = try? EventCounter.take(event.descriptor)
    if known == nil { known = answer.current.map(converted) }
    return known
  }

  func cancel() { task.cancel() }

  /// Returns the result of the service. A success unlocks, so that the lock is open when the session
  /// continues.
  private func converted(_ result: UserAuthenticationResult) -> AuthenticationResult {
    switch result {
    case .succeeded:
      do throws(SystemCallError) { try lock?.unlock() } catch {
        return .unavailable("unlocking failed: \(error); check the permissions of the state root")
      }
      return .succeeded
    case .failed: return .failed
    case .cancelled: return .cancelled
    case .timedOut: return .timedOut
    case .tooManyAttempts: return .tooManyAttempts
    case .unavailable(let reason): return .unavailable(reason)
    }
  }
}
