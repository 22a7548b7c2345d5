// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

extension SessionRuntime {
  /// Handles what happens until the session has ended.
  func run() throws(ExtensionFailure) {
    defer { close() }
    while try turn() {}
  }

  /// Waits for what happens next and handles it; false if the session has ended.
  ///
  /// With a `deadline` it waits until then at most.
  func turn(until deadline: UInt64? = nil) throws(ExtensionFailure) -> Bool {
    turningThread.store(CurrentProcess.threadID, ordering: .relaxed)
    defer { turningThread.store(0, ordering: .relaxed) }
    let waking = mainQueue == .drained ? MainQueue.descriptor : nil
    let hasSound = hasSound
    let end = hasSound ? 0 : nextAlarm(before: deadline)
    switch try connection.next(interest, sound: soundEvent, waking: waking, until: end) {
    case .ended:
      // What was wrong with the last answer counts more than that none comes any more.
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

  /// Tells everybody that the session is about to end.
  func beginEnding(_ notice: DismissalNotice) {
    guard !isEnding else { return }
    isEnding = true
    // A picture that was asked for before the first frame may still be there to be had.
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

  /// Lets the tasks that can go on do so; those that an answer has woken shall not be cut off by the end.
  private func finishWork() throws(ExtensionFailure) {
    guard mainQueue == .drained else { return }
    // A task that never rests must not hold the session: the loop comes back while something is unfinished.
    for _ in 0..<64 {
      guard try MainQueue.hasWork() else { return }
      MainQueue.drain()
    }
  }
}
