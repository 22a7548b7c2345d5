// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension SessionRuntime {
  /// Whether frames are waited for.
  var interest: FrameInterest {
    guard let delivery, let ring else { return .none }
    return delivery == .every && ring.published > ring.last
      ? .pending : .next(descriptor: ring.eventDescriptor)
  }

  /// Gives the next frame, or with ``FrameDelivery/latest`` the newest, to the handlers.
  func deliverFrame() throws(ExtensionFailure) {
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
    try show(frame)
    try ring.finish(sequence)
  }

  /// Draws a frame into the viewfinder that the host shows; without one, says once that a frame was handled.
  private func show(_ frame: borrowing CaptureFrame) throws(ExtensionFailure) {
    guard let preview, !layers.isEmpty else {
      if needsPresentation { tell(.viewfinderPresented(frame: frame.sequence)) }
      needsPresentation = false
      return
    }
    _ = try preview.show(timestamp: frame.timestamp) { canvas in
      for layer in layers { attempt { try layer(&canvas, frame) } }
    }
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
