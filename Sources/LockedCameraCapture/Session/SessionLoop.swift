// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

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
    let waking = mainQueue == .drained ? MainQueue.descriptor : nil
    switch try connection.next(interest, waking: waking, until: deadline) {
    case .ended: return false
    case .timeUp: break
    case .ready(let frames, let work):
      if frames { try deliverFrame() }
      if work { MainQueue.drain() }
    case .notification(let notification): handle(notification)
    }
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

  private var interest: FrameInterest {
    guard let delivery, let ring else { return .none }
    return delivery == .every && ring.published > ring.last
      ? .pending : .next(descriptor: ring.eventDescriptor)
  }

  /// Gives the next frame, or with ``FrameDelivery/latest`` the newest, to the handlers.
  private func deliverFrame() throws(ExtensionFailure) {
    guard let ring else { return }
    try ring.acknowledge()
    let newest = ring.published
    guard newest > ring.last else { return }
    let sequence = delivery == .every ? ring.last + 1 : newest
    guard let frame = ring.frame(sequence) else {
      // Overwritten already: a newer one has been announced, and will count this one as dropped.
      if delivery == .every { try ring.finish(sequence) }
      return
    }
    developPictures()
    for handler in handlers.frames { attempt { try handler(frame) } }
    if needsPresentation {
      needsPresentation = false
      tell(.viewfinderPresented(frame: sequence))
    }
    try ring.finish(sequence)
  }

  /// Gives a copy of the newest frame to whoever has asked for a picture, if there is a frame.
  func developPictures() {
    guard !pictures.isEmpty, let ring else { return }
    // A host that publishes faster than we copy overwrites what we copy; then there is a newer one.
    for _ in 0..<8 {
      let newest = ring.published
      guard newest > 0 else { return }
      guard let picture = ring.frame(newest)?.copy() else { continue }
      let waiting = pictures
      pictures = []
      for handler in waiting { attempt { try handler(picture) } }
      return
    }
  }
}
