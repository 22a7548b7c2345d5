// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

extension SessionRuntime {
  /// Handles events until the session has ended.
  func run() throws(ExtensionFailure) {
    defer { close() }
    while try turn() {}
  }

  /// Waits for the next event and handles it.
  ///
  /// - Parameter deadline: The latest time, in nanoseconds of ``MonotonicClock``, or `nil` to wait without a
  ///   limit.
  /// - Returns: `false` if the session has ended.
  /// - Throws: `ExtensionFailure` if the connection fails.
  func turn(until deadline: UInt64? = nil) throws(ExtensionFailure) -> Bool {
    turningThread.store(CurrentProcess.threadID, ordering: .relaxed)
    defer { turningThread.store(0, ordering: .relaxed) }
    let waking = mainQueue == .drained ? MainQueue.descriptor : nil
    let hasSound = hasSound
    let end = hasSound ? 0 : nextAlarm(before: deadline)
    switch try connection.next(interest, sound: soundEvent, waking: waking, until: end) {
    case .ended:
      // A violation in the last reply is more specific than the end of the connection.
      if let failure { throw failure }
      return false
    case .timeUp: if hasSound { try deliverSound() }
    case .ready(let frames, let sound, let work):
      if frames { try deliverFrame() }
      if sound || hasSound { try deliverSound() }
      if work { MainQueue.drain() }
    case .notification(let notification): handle(notification)
    }
    ringAlarms()
    for watcher in handlers.watchers { attempt(watcher) }
    if isEnding { try finishWork() }
    if let failure { throw failure }
    return !(isEnding && unfinished == 0)
  }

  /// Notifies the handlers that the session is about to end.
  func beginEnding(_ notice: DismissalNotice) {
    guard !isEnding else { return }
    isEnding = true
    // A picture that was requested before the first frame may be available now.
    developPictures()
    let reason = DismissalReason(notice.reason)
    for handler in handlers.immediateDismissals { attempt { try handler(reason, notice.grace) } }
    for handler in handlers.dismissals {
      unfinished += 1
      Task { @MainActor in
        do { try await handler(reason, notice.grace) } catch { report(error) }
        unfinished -= 1
      }
    }
  }

  /// Runs the tasks that are ready, so that the end of the session does not cut off a task that a reply has
  /// just resumed.
  private func finishWork() throws(ExtensionFailure) {
    guard mainQueue == .drained else { return }
    // A task that never suspends must not block the session; the loop returns here while work is pending.
    for _ in 0..<64 {
      guard try MainQueue.hasWork() else { return }
      MainQueue.drain()
    }
  }
}
