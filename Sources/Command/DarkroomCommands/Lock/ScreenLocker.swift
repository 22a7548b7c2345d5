// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import LockMonitoring
internal import SessionServices
internal import SessionStore
internal import UserAuthentication
internal import Viewfinders

/// A locker that keeps the screens locked until the user is authenticated, and launches the camera in front
/// of the lock.
///
/// The lock of the state root (`darkroom lock`) is authoritative: the screens are unlocked when it is
/// unlocked, by any process. If this program is killed, both remain locked.
final class ScreenLocker {
  private let root: StateRoot
  private let control: InstalledControl?
  private let parsed: ParsedCommand
  private let console: Console
  private let signals: HostSignals
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
  /// `control` is the control of the camera button, or `nil` if there is no button.
  init(
    _ root: StateRoot,
    _ control: InstalledControl?,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals
  ) throws(CommandFailure) {
    (self.root, self.control, self.parsed) = (root, control, parsed)
    (self.console, self.signals) = (console, signals)
    if let obstacle = UserAuthenticator(root: root.path, prompt: nil, errors: console.error)
      .unavailabilityReason
    {
      throw CommandFailure(
        .unavailable,
        "nothing was locked, because the user could not unlock it again: \(obstacle)"
      )
    }
    lockScreen = try ActiveLockScreen.lock(hasCamera: control != nil, console)
    lock = LockMonitor(root: root.path, environment: LockEnvironment(environment: console.environment))
    do { try LockControl(root: root.path).lock() } catch {
      _ = lockScreen.screen.unlock()
      throw CommandFailure(.store, "it cannot be locked: \(error); mend the permissions of \(root.path)/lock")
    }
    lock.refresh()
    console.note("darkroom: the screens are locked")
    showLockout("")
  }

  /// Whether the lock of `darkroom lock` is unlocked.
  private var isUnlocked: Bool {
    lock.refresh()
    return lock.reports.first?.state == .unlocked
  }

  /// Waits until the lock is unlocked, and unlocks the screens.
  func run() throws(CommandFailure) -> Int32 {
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
    guard lockScreen.screen.unlock() else {
      throw CommandFailure(
        .unavailable,
        "the compositor has not unlocked its screens, although the lock is open"
      )
    }
    console.note("darkroom: unlocked")
    return 0
  }

  /// An authenticator that prompts on the lock screen.
  private var authenticator: HostAuthenticator {
    HostAuthenticator(
      root: root.path,
      lock: lock,
      prompt: lockScreen.prompt,
      errors: console.error,
      environment: console.environment
    )
  }

  /// Waits for an event.
  private func wait() throws(CommandFailure) {
    let found: [Readiness]
    do {
      found = try Poller.wait(
        [
          (signals.descriptor.rawValue, .readable), (lockScreen.screen.readable ?? -1, .readable),
          (attempt?.descriptor ?? -1, .readable), (lock.descriptor ?? -1, .readable),
        ],
        until: nextLockoutUpdate
      )
    } catch { throw CommandFailure(.machine, "\(error); the screens stay locked") }
    guard found[0].isEmpty else { throw Self.stopped }
    if let nextLockoutUpdate, MonotonicClock.now >= nextLockoutUpdate { showLockout("") }
  }

  /// The failure when this program is stopped. The screens stay locked.
  private static var stopped: CommandFailure {
    CommandFailure(.temporaryFailure, "told to stop: the screens stay locked")
  }

  private func handle(_ event: LockScreen.Event) throws(CommandFailure) {
    switch event {
    case .typing, .answer:
      // Characters that are typed during an attempt belong to the next question, if there is one.
      if attempt == nil {
        attempt = authenticator.begin(reason: "Unlock the screen.")
        hasAnswered = false
      }
      if event == .answer { hasAnswered = true }
    case .camera: try press()
    case .lost(let how): try lockAgain(how)
    }
  }

  /// Shows why the authentication failed.
  private func showFailure(_ result: AuthenticationResult) {
    switch result {
    case .succeeded: break
    case .failed: showLockout("That was not right.")
    case .timedOut where hasAnswered: lockScreen.screen.refuse("That took too long.")
    case .cancelled, .timedOut: lockScreen.screen.showIdle()
    case .tooManyAttempts:
      console.note("darkroom: there were too many attempts; wait before the next")
      showLockout("There were too many wrong answers.")
    case .unavailable(let reason):
      console.note("darkroom: the user cannot be prompted: \(reason)")
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

  /// Presses the control. An error is shown on the lock screen.
  private func press() throws(CommandFailure) {
    guard let control else { return }
    // An accidental key press also starts an attempt. The camera has priority until an answer is entered.
    guard attempt == nil || !hasAnswered else { return }
    attempt?.cancel()
    attempt = nil
    lockScreen.screen.showIdle()
    var kind: ControlPress.Outcome.Kind?
    do throws(CommandFailure) {
      let press = try ControlPress(
        control,
        .lockScreen,
        KeyOption.keys,
        root,
        parsed,
        console,
        signals,
        at: lockScreen
      )
      kind = try press.perform(lockScreen.screen).kind
    } catch {
      // The user knows which control was pressed.
      lockScreen.screen.refuse(String("\(error)".trimmingPrefix("\(control.fullName): ")))
      console.note("darkroom: \(error)")
    }
    // Keys that were pressed during the session were input for the session.
    lockScreen.discardInput()
    if nextLockoutUpdate != nil { showLockout("") }
    if kind == .stopped { throw Self.stopped }
  }

  /// Starts the lock-screen program again after it exited. The compositor has kept the screens locked.
  private func lockAgain(_ how: String) throws(CommandFailure) {
    console.note("darkroom: the lock screen is not shown any more: \(how); the screens stay locked")
    restarts += 1
    guard restarts <= Self.maximumRestarts else {
      throw CommandFailure(.machine, "the lock screen cannot be shown: \(how); the screens stay locked")
    }
    attempt?.cancel()
    attempt = nil
    lockScreen = try lockScreen.relock(hasCamera: control != nil, console)
    showLockout("")
    console.note("darkroom: the lock screen is shown again")
  }
}
