// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import LockMonitoring
package import SessionStore
internal import UserAuthentication
internal import Viewfinders

/// A locker that keeps the screens locked until the user is authenticated, and launches the camera in front
/// of the lock.
///
/// The lock of the state root (`darkroom lock`) is authoritative: the screens are unlocked when it is
/// unlocked, by any process. If this program is killed, both remain locked.
package final class ScreenLocker {
  /// The result of a press of the camera button.
  package enum CameraPress {
    /// The press was carried out, or the user broke it off.
    case completed
    /// The press was refused, for this reason.
    case refused(String)
    /// The host received a signal to stop, and terminated the session.
    case stopped
  }

  private let root: StateRoot
  private let signals: HostSignals
  /// The descriptor that receives the error output of an authentication command.
  private let errors: Int32
  /// A closure that returns the value of an environment variable of the user.
  private let environment: @Sendable (String) -> String?
  /// A closure that receives messages about the lock.
  private let notice: (String) -> Void
  /// A closure that presses the camera button in front of a lock screen, or `nil` if there is no button.
  private let press: ((ActiveLockScreen) -> CameraPress)?
  private var lockScreen: ActiveLockScreen
  private let lock: LockMonitor
  private var attempt: (any AuthenticationAttempt)?
  /// Whether the user has entered an answer in the current attempt.
  private var hasAnswered = false
  /// The timestamp of the next update of the waiting period, or `nil` if there is no waiting period.
  private var nextLockoutUpdate: UInt64?
  /// The number of restarts of the program that shows the lock screen.
  private var restarts = 0
  /// The maximum number of restarts.
  private static let maximumRestarts = 5

  /// Locks the screens.
  ///
  /// - Parameters:
  ///   - root: The state root, whose lock is locked with the screens.
  ///   - signals: The signals of the host. A signal ends the program; the screens stay locked.
  ///   - errors: The descriptor that receives the error output of an authentication command.
  ///   - environment: A closure that returns the value of an environment variable of the user.
  ///   - notice: A closure that receives messages about the lock.
  ///   - press: A closure that presses the camera button in front of a lock screen, or `nil` if there is no
  ///     button.
  /// - Throws: A `ScreenLockError` if the screens were not locked.
  package init(
    _ root: StateRoot,
    _ signals: HostSignals,
    errors: Int32,
    environment: @escaping @Sendable (String) -> String?,
    notice: @escaping (String) -> Void,
    press: ((ActiveLockScreen) -> CameraPress)?
  ) throws(ScreenLockError) {
    (self.root, self.signals, self.errors) = (root, signals, errors)
    (self.environment, self.notice, self.press) = (environment, notice, press)
    if let obstacle = UserAuthenticator(root: root.path, prompt: nil, errors: errors).unavailabilityReason {
      throw .noAuthentication(obstacle)
    }
    lockScreen = try ActiveLockScreen.lock(hasCamera: press != nil, environment, notice)
    lock = LockMonitor(root: root.path, environment: LockEnvironment(environment: environment))
    do { try LockControl(root: root.path).lock() } catch {
      _ = lockScreen.screen.unlock()
      throw .lockNotWritten(error, directory: "\(root.path)/lock")
    }
    lock.refresh()
    notice("the screens are locked")
    showLockout("")
  }

  /// Whether the lock of `darkroom lock` is unlocked.
  private var isUnlocked: Bool {
    lock.refresh()
    return lock.reports.first?.state == .unlocked
  }

  /// Waits until the lock is unlocked, and unlocks the screens.
  package func run() throws(ScreenLockError) {
    while !isUnlocked {
      if let event = lockScreen.screen.takeEvent() {
        try handle(event)
      } else if let result = attempt?.result {
        attempt = nil
        lockScreen.discardInput()
        showFailure(result)
      } else {
        try wait()
      }
    }
    attempt?.cancel()
    guard lockScreen.screen.unlock() else { throw .notUnlocked }
    notice("unlocked")
  }

  /// An authenticator that prompts on the lock screen.
  private var authenticator: HostAuthenticator {
    HostAuthenticator(
      root: root.path,
      lock: lock,
      prompt: lockScreen.prompt,
      errors: errors,
      environment: environment
    )
  }

  /// Waits for an event.
  private func wait() throws(ScreenLockError) {
    let found: [Readiness]
    do {
      found = try Poller.wait(
        [
          (signals.descriptor.rawValue, .readable), (lockScreen.screen.readable ?? -1, .readable),
          (attempt?.descriptor ?? -1, .readable), (lock.descriptor ?? -1, .readable),
        ],
        until: nextLockoutUpdate
      )
    } catch { throw .system(error, .dark) }
    guard found[0].isEmpty else { throw .stopped }
    if let nextLockoutUpdate, MonotonicClock.now >= nextLockoutUpdate { showLockout("") }
  }

  private func handle(_ event: LockScreen.Event) throws(ScreenLockError) {
    switch event {
    case .typing, .answer:
      // Characters that are typed during an attempt belong to the next question, if there is one.
      if attempt == nil {
        attempt = authenticator.begin(reason: "Unlock the screen.")
        hasAnswered = false
      }
      if event == .answer { hasAnswered = true }
    case .camera: try pressCamera()
    case .lost(let how): try lockAgain(how)
    }
  }

  /// Shows why the authentication failed.
  private func showFailure(_ result: AuthenticationResult) {
    switch result {
    case .succeeded: break
    case .failed: showLockout("The answer was wrong.")
    case .timedOut where hasAnswered: lockScreen.screen.refuse("The answer took too long.")
    case .cancelled, .timedOut: lockScreen.screen.showIdle()
    case .tooManyAttempts:
      notice("too many attempts have failed; wait before the next attempt")
      showLockout("Too many wrong answers.")
    case .unavailable(let reason):
      notice("the user cannot be prompted: \(reason)")
      lockScreen.screen.refuse("Unlocking is unavailable: \(reason)")
    case .noAuthenticator: lockScreen.screen.refuse("Unlocking is unavailable.")
    }
  }

  /// Shows the reason and the remaining waiting period, and rejects answers during the waiting period.
  private func showLockout(_ why: String) {
    let seconds = authenticator.secondsToWait
    let wait = LockoutMessage(seconds: seconds)
    nextLockoutUpdate = wait.map { MonotonicClock.now + UInt64($0.secondsUntilChange) * 1_000_000_000 }
    lockScreen.screen.disable(wait.map { why.isEmpty ? $0.text : "\(why) \($0.text)" })
    if wait == nil, !why.isEmpty { lockScreen.screen.refuse(why) }
  }

  /// Presses the camera button. A refusal is shown on the lock screen.
  private func pressCamera() throws(ScreenLockError) {
    guard let press else { return }
    // An accidental key press also starts an attempt. The camera has priority until an answer is entered.
    guard attempt == nil || !hasAnswered else { return }
    attempt?.cancel()
    attempt = nil
    lockScreen.screen.showIdle()
    let result = press(lockScreen)
    if case .refused(let reason) = result { lockScreen.screen.refuse(reason) }
    // Keys that were pressed during the session were input for the session.
    lockScreen.discardInput()
    if nextLockoutUpdate != nil { showLockout("") }
    if case .stopped = result { throw .stopped }
  }

  /// Starts the lock-screen program again after it exited. The compositor has kept the screens locked.
  private func lockAgain(_ how: String) throws(ScreenLockError) {
    notice("the lock screen was lost: \(how); the screens stay locked")
    restarts += 1
    guard restarts <= Self.maximumRestarts else { throw .exitedRepeatedly(how) }
    attempt?.cancel()
    attempt = nil
    lockScreen = try lockScreen.relock(hasCamera: press != nil, environment)
    showLockout("")
    notice("the lock screen is shown again")
  }
}
