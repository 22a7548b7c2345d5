// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

extension LockedCameraCaptureSession {
  /// Handles what happens until the session is dismissed or the host has closed.
  package func run() throws(ExtensionFailure) {
    while true {
      let event = try connection.next(interest)
      switch event {
      case .ended: return
      case .frames: try deliverFrame()
      case .notification(.captureEvent(let event)):
        let event = AVCaptureEvent(event)
        for interaction in handlers.interactions { attempt { try interaction.deliver(event) } }
      case .notification(.contextChanged(let value)):
        context = value
        for handler in handlers.contextChanges { attempt(handler) }
      case .notification(.sessionWillDismiss(let notice)):
        // A picture that was asked for before the first frame may still be there to be had.
        developPictures()
        let reason = DismissalReason(notice.reason)
        for handler in handlers.dismissals { attempt { try handler(reason, notice.grace) } }
        return
      case .notification: break
      }
      if let failure { throw failure }
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

  /// Runs a handler; its error goes to the log.
  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch {
      guard failure == nil else { return }
      let sentence = "a handler has failed: \(error)"
      CurrentProcess.complain(sentence)
      log(.error, sentence)
    }
  }

  /// Sends a notification; a failure ends the loop.
  func tell(_ notification: ExtensionNotification) {
    guard failure == nil else { return }
    do throws(ExtensionFailure) { try connection.notify(notification) } catch { failure = error }
  }

  /// Sends a request; a failure of the conversation ends the loop.
  func request<Result: WireValue>(_ request: ExtensionRequest, _ type: Result.Type) throws -> Result {
    if let failure { throw failure }
    do throws(CallFailure) { return try connection.call(request, type) } catch {
      switch error {
      case .refused(let error): throw LockedCameraCaptureError(error)
      case .connection(let error):
        failure = error
        throw error
      }
    }
  }
}
