// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

extension SessionRuntime {
  /// Whether the loop waits for frames.
  var frameInterest: FrameInterest {
    guard let delivery, let ring else { return .none }
    return delivery == .every && ring.published > ring.last
      ? .pending : .next(descriptor: ring.eventDescriptor)
  }

  /// Passes a frame to the handlers: the next one, or the newest one for ``FrameDelivery/latest``.
  func deliverFrame() throws(ExtensionFailure) {
    guard let ring else { return }
    try ring.acknowledge()
    let newest = ring.published
    guard newest > ring.last else { return }
    let sequence = delivery == .every ? ring.last + 1 : newest
    guard let frame = ring.frame(sequence) else {
      // The host has overwritten the frame and announced a newer one, which counts this one as dropped.
      if delivery == .every { try ring.finish(sequence) }
      return
    }
    deliverPendingPictures()
    for handler in handlers.frames { attempt { try handler(frame) } }
    forEachObserver { observer, session in try observer.receive(frame, of: session) }
    for handler in handlers.viewFrames { attempt { try handler(frame) } }
    views?.prepareFrame()
    try show(frame)
    try ring.finish(sequence)
  }

  /// Draws a frame into the viewfinder.
  ///
  /// Without a viewfinder, reports once after each camera start that a frame was presented.
  private func show(_ frame: borrowing CaptureFrame) throws(ExtensionFailure) {
    guard let preview, !layers.isEmpty else {
      if isFirstPresentation() { notify(.viewfinderPresented(frame: frame.sequence)) }
      return
    }
    _ = try preview.show(timestamp: frame.timestamp) { canvas in
      for layer in layers {
        switch layer {
        case .cameraFrame: canvas.draw(frame)
        case .framePart(let part): if part.isActive { canvas.draw(frame, in: part) }
        case .drawing(let draw): attempt { try draw(&canvas) }
        }
      }
    }
  }

  /// Draws the layers into the viewfinder once, if none of them shows the frames of the camera.
  func showWithoutCamera() throws {
    guard let preview, !layers.isEmpty, layers.allSatisfy(\.isIndependent) else { return }
    do throws(ExtensionFailure) {
      _ = try preview.show(timestamp: MonotonicClock.now) { canvas in
        for case .drawing(let draw) in layers { attempt { try draw(&canvas) } }
      }
    } catch {
      failure = error
      throw error
    }
  }

  /// Passes a copy of the newest frame to each pending ``LockedCameraCaptureSession/takePicture(_:)``
  /// handler.
  ///
  /// Without a frame, the handlers stay pending.
  func deliverPendingPictures() {
    guard !pendingPictures.isEmpty, let ring else { return }
    // A host that publishes faster than the copy completes overwrites the slot; then a newer frame is
    // available.
    for _ in 0..<8 {
      let newest = ring.published
      guard newest > 0 else { return }
      guard let picture = ring.frame(newest)?.copy() else { continue }
      let waiting = pendingPictures
      pendingPictures = []
      for handler in waiting { attempt { try handler(picture) } }
      return
    }
  }
}
