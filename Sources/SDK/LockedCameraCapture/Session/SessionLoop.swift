// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

extension SessionRuntime {
  /// Handles events until the session has ended.
  func run() throws(ExtensionFailure) {
    defer { close() }
    while try runIteration() {}
  }

  /// Waits for the next event and handles it.
  ///
  /// - Parameter deadline: The latest time, in nanoseconds of ``MonotonicClock``, or `nil` to wait without a
  ///   limit.
  /// - Returns: `false` if the session has ended.
  /// - Throws: `ExtensionFailure` if the connection fails.
  func runIteration(until deadline: UInt64? = nil) throws(ExtensionFailure) -> Bool {
    loopThread.store(CurrentProcess.threadID, ordering: .relaxed)
    defer { loopThread.store(0, ordering: .relaxed) }
    let waking = mainQueue == .drained && !hasRunLoop ? MainQueue.descriptor : nil
    let hasSound = hasSound
    let end = hasSound ? 0 : nextDeadline(before: deadline)
    switch try connection.next(frameInterest, sound: soundEvent, waking: waking, until: end) {
    case .closed:
      // A violation in the last reply is more specific than the end of the connection.
      if let failure { throw failure }
      return false
    case .timedOut: if hasSound { try deliverSound() }
    case .ready(let frames, let sound, let work):
      if frames { try deliverFrame() }
      if sound || hasSound { try deliverSound() }
      if work { MainQueue.drain() }
    case .notification(let notification): handle(notification)
    }
    fireAlarms()
    forEachObserver { observer, session in try observer.handleEvent(of: session) }
    views?.update()
    if isDismissing { try drainPendingTasks() }
    if let failure { throw failure }
    return !(isDismissing && pendingWork == 0)
  }

  /// Notifies the handlers that the session is about to end.
  func beginDismissal(_ notice: DismissalNotice) {
    guard !isDismissing else { return }
    isDismissing = true
    // A picture that was requested before the first frame may be available now.
    deliverPendingPictures()
    let reason = DismissalReason(notice.reason)
    for handler in handlers.immediateDismissals + (views?.dismissals ?? []) {
      attempt { try handler(reason, notice.grace) }
    }
    for handler in asynchronousDismissals {
      pendingWork += 1
      Task { @MainActor in
        do { try await handler(reason, notice.grace) } catch { report(error) }
        pendingWork -= 1
      }
    }
  }

  /// The asynchronous handlers of the dismissal, including those of observers and views.
  private var asynchronousDismissals: [@MainActor (DismissalReason, Double) async throws -> Void] {
    var actions = handlers.dismissals
    for observer in handlers.observations.compactMap(\.observer) {
      actions.append { _, _ in try await observer.finishWork() }
    }
    return actions + (views?.asynchronousDismissals ?? [])
  }

  /// Runs the tasks that are ready, so that the end of the session does not cut off a task that a reply has
  /// just resumed.
  private func drainPendingTasks() throws(ExtensionFailure) {
    guard mainQueue == .drained else { return }
    // A task that never suspends must not block the session; the loop returns here while work is pending.
    for _ in 0..<64 {
      guard try MainQueue.hasWork() else { return }
      MainQueue.drain()
    }
  }
}
