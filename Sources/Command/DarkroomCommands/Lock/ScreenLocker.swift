// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import LockMonitoring
internal import PersonAuthentication
internal import SessionServices
internal import SessionStore
internal import Viewfinders

/// Keeps the screens locked until the person has shown who they are, and launches the camera in front of them.
///
/// There is one truth, the lock of the state root (`darkroom lock`): the screens are unlocked when it is, whoever has
/// done it. Whoever ends this program otherwise leaves both locked.
final class ScreenLocker {
  private let root: StateRoot
  private let control: InstalledControl?
  private let parsed: ParsedCommand
  private let console: Console
  private let signals: HostSignals
  private var shown: ShownLockScreen
  private let lock: LockMonitor
  private var attempt: (any AuthenticationAttempt)?
  /// Whether the person has answered anything since they are asked.
  private var hasAnswered = false
  /// When it is looked again how long nobody can answer; nil: they can.
  private var nextLook: UInt64?
  /// How often a program that shows the lock has been started again.
  private var restarts = 0
  /// How often that is done at most.
  private static let mostRestarts = 5

  /// Locks. `control` is what the button of the camera presses; nil: there is none.
  init(
    _ root: StateRoot,
    _ control: InstalledControl?,
    _ parsed: ParsedCommand,
    _ console: Console,
    _ signals: HostSignals
  ) throws(CommandFailure) {
    (self.root, self.control, self.parsed) = (root, control, parsed)
    (self.console, self.signals) = (console, signals)
    if let obstacle = PersonAuthenticator(root: root.path, prompt: nil, errors: console.error).obstacle {
      throw CommandFailure(.partial, "nothing was locked, because nobody could open it again: \(obstacle)")
    }
    shown = try ShownLockScreen.lock(hasCamera: control != nil, console)
    lock = LockMonitor(root: root.path, surroundings: LockSurroundings(environment: console.environment))
    do { try LockControl(root: root.path).lock() } catch {
      _ = shown.screen.unlock()
      throw CommandFailure(.store, "it cannot be locked: \(error); mend the permissions of \(root.path)/lock")
    }
    lock.refresh()
    console.note("darkroom: the screens are locked")
    bar("")
  }

  /// Whether what `darkroom lock` locked is unlocked.
  private var isUnlocked: Bool {
    lock.refresh()
    return lock.reports.first?.state == .unlocked
  }

  /// Waits until it is unlocked, and unlocks the screens.
  func run() throws(CommandFailure) -> Int32 {
    while !isUnlocked {
      if let event = shown.screen.takeEvent() {
        try take(event)
      } else if let result = attempt?.result {
        attempt = nil
        shown.forget()
        refuse(result)
      } else {
        try wait()
      }
    }
    attempt?.cancel()
    guard shown.screen.unlock() else {
      throw CommandFailure(.partial, "the compositor has not unlocked its screens, although the lock is open")
    }
    console.note("darkroom: unlocked")
    return 0
  }

  /// Asks whoever is in front of the screens.
  private var authenticator: HostAuthenticator {
    HostAuthenticator(
      root: root.path,
      lock: lock,
      prompt: shown.prompt,
      errors: console.error,
      environment: console.environment
    )
  }

  /// Waits until something happens.
  private func wait() throws(CommandFailure) {
    let found: [Readiness]
    do {
      found = try Poller.wait(
        [
          (signals.descriptor.rawValue, .readable), (shown.screen.readable ?? -1, .readable),
          (attempt?.descriptor ?? -1, .readable), (lock.descriptor ?? -1, .readable),
        ],
        until: nextLook
      )
    } catch { throw CommandFailure(.machine, "\(error); the screens stay locked") }
    guard found[0].isEmpty else { throw Self.stopped }
    if let nextLook, MonotonicClock.now >= nextLook { bar("") }
  }

  /// What ends this program without opening anything.
  private static var stopped: CommandFailure {
    CommandFailure(.interrupted, "told to stop: the screens stay locked")
  }

  private func take(_ event: LockScreen.Event) throws(CommandFailure) {
    switch event {
    case .typing, .answer:
      // What is typed meanwhile answers the next question, if there is one.
      if attempt == nil {
        attempt = authenticator.begin(reason: "Unlock the screen.")
        hasAnswered = false
      }
      if event == .answer { hasAnswered = true }
    case .camera: try press()
    case .lost(let how): try lockAgain(how)
    }
  }

  /// Says that it was not the person, and why.
  private func refuse(_ result: AuthenticationResult) {
    switch result {
    case .succeeded: break
    case .failed: bar("That was not right.")
    case .timedOut where hasAnswered: shown.screen.refuse("That took too long.")
    case .cancelled, .timedOut: shown.screen.rest()
    case .tooManyAttempts:
      console.note("darkroom: there were too many attempts; wait before the next")
      bar("There were too many wrong answers.")
    case .unavailable(let reason):
      console.note("darkroom: nobody can be asked: \(reason)")
      shown.screen.refuse("Nobody can be asked: \(reason)")
    case .nobodyAsks: shown.screen.refuse("Nobody can be asked.")
    }
  }

  /// Says why an answer was refused, if one was, and for how long there is none; takes none for so long.
  private func bar(_ why: String) {
    let seconds = authenticator.secondsToWait
    let wait = LockWait(seconds: seconds)
    nextLook = wait.map { MonotonicClock.now + UInt64($0.secondsToChange) * 1_000_000_000 }
    shown.screen.bar(wait.map { why.isEmpty ? $0.words : "\(why) \($0.words)" })
    if wait == nil, !why.isEmpty { shown.screen.refuse(why) }
  }

  /// Presses the control; what hinders it is said.
  private func press() throws(CommandFailure) {
    guard let control else { return }
    // A key that was hit by accident asks for an answer, too: until there is one, the camera goes first.
    guard attempt == nil || !hasAnswered else { return }
    attempt?.cancel()
    attempt = nil
    shown.screen.rest()
    var way: ControlPress.Ending.Way?
    do throws(CommandFailure) {
      let press = try ControlPress(
        control,
        .lockScreen,
        KeyOption.keys,
        root,
        parsed,
        console,
        signals,
        at: shown
      )
      way = try press.perform(shown.screen).way
    } catch {
      // Which control it is they know who have pressed it.
      shown.screen.refuse(String("\(error)".trimmingPrefix("\(control.fullName): ")))
      console.note("darkroom: \(error)")
    }
    // What was pressed meanwhile was meant for the session.
    shown.forget()
    if nextLook != nil { bar("") }
    if way == .stopped { throw Self.stopped }
  }

  /// Takes over from a program that has ended: the compositor has kept the screens locked.
  private func lockAgain(_ how: String) throws(CommandFailure) {
    console.note("darkroom: the lock screen is not shown any more: \(how); the screens stay locked")
    restarts += 1
    guard restarts <= Self.mostRestarts else {
      throw CommandFailure(.machine, "the lock screen cannot be shown: \(how); the screens stay locked")
    }
    attempt?.cancel()
    attempt = nil
    shown = try shown.again(hasCamera: control != nil, console)
    bar("")
    console.note("darkroom: the lock screen is shown again")
  }
}
