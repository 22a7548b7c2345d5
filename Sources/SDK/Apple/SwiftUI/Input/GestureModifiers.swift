// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

extension View {
  /// Recognizes a gesture in the frame of the view.
  ///
  /// A contact belongs to the topmost view with a gesture or a control at its position.
  public func gesture<Value>(_ gesture: some Gesture<Value>) -> some View {
    RecognizingView(content: self, recognition: gesture.recognition)
  }

  /// Calls `action` after a short contact with the view.
  public func onTapGesture(perform action: @escaping @MainActor () -> Void) -> some View {
    gesture(TapGesture().onEnded { action() })
  }

  /// Calls `action` after a contact that rests for some seconds.
  public func onLongPressGesture(
    minimumDuration: Double = 0.5,
    perform action: @escaping @MainActor () -> Void
  ) -> some View {
    gesture(LongPressGesture(minimumDuration: minimumDuration).onEnded { _ in action() })
  }
}

/// A view with a gesture.
private struct RecognizingView<Content: View, Value>: BuiltInView, Arranged {
  let content: Content
  let recognition: GestureRecognition<Value>

  func update(_ node: ViewNode) throws {
    node.storage = node.storage as? GestureProgress ?? GestureProgress()
    try node.setChild(content)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    // The region of the content is above that of this view.
    if let node = element.node { placement.addRegion(frame, of: node, self) }
    element.onlyContent.place(in: frame, placement)
  }
}

/// The progress of a gesture during one contact.
@MainActor
private final class GestureProgress {
  /// Whether the gesture has ended, so that the rest of the contact means nothing.
  var hasEnded = false
}

extension RecognizingView: ContactRecognizer {
  func handle(_ update: ContactUpdate, in node: ViewNode) {
    guard let progress = node.storage as? GestureProgress else { return }
    if update.phase == .began {
      progress.hasEnded = false
      if let duration = recognition.restDuration {
        node.run(after: duration) { deliver(update.resting(for: duration), progress) }
      }
    }
    if update.phase == .ended || update.phase == .cancelled { node.cancelRun() }
    if (update.translation * update.translation).sum() >= 100 { node.cancelRun() }
    deliver(update, progress)
  }

  private func deliver(_ update: ContactUpdate, _ progress: GestureProgress) {
    guard !progress.hasEnded, let event = recognition.recognize(update) else { return }
    switch event {
    case .changed(let value): for action in recognition.changed { action(value) }
    case .ended(let value):
      progress.hasEnded = true
      for action in recognition.ended { action(value) }
    }
  }
}

extension ContactUpdate {
  /// Returns the update of a contact that has not moved for some seconds.
  fileprivate func resting(for seconds: Double) -> ContactUpdate {
    ContactUpdate(phase: .moved, location: location, start: start, frame: frame, seconds: seconds)
  }
}
