// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

extension View {
  /// Recognizes a gesture in the frame of the view.
  ///
  /// A contact belongs to the topmost view with a gesture or a control at its position.
  public func gesture<Value>(_ gesture: some Gesture<Value>) -> some View {
    RecognizingView(content: self, recognition: gesture.recognition, isSimultaneous: false)
  }

  /// Recognizes a gesture in the frame of the view, besides the gestures and controls in the view.
  public func simultaneousGesture<Value>(_ gesture: some Gesture<Value>) -> some View {
    RecognizingView(content: self, recognition: gesture.recognition, isSimultaneous: true)
  }

  /// Calls `action` after one or more short contacts with the view.
  public func onTapGesture(count: Int = 1, perform action: @escaping @MainActor () -> Void) -> some View {
    gesture(TapGesture(count: count).onEnded { action() })
  }

  /// Calls `action` with the position in the view of the last of one or more short contacts with the view.
  public func onTapGesture(count: Int = 1, perform action: @escaping @MainActor (CGPoint) -> Void)
    -> some View
  {
    gesture(SpatialTapGesture(count: count).onEnded { action($0.location) })
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
  let isSimultaneous: Bool

  func update(_ node: ViewNode) throws {
    node.storage = node.storage as? GestureProgress ?? GestureProgress()
    try node.setChild(content)
  }

  func size(_ proposal: Proposal, of element: Element) -> Vector { element.onlyContent.size(proposal) }

  func place(_ element: Element, in frame: Bounds, _ placement: Placement) {
    // The region of the content is above that of this view, unless a contact belongs to both.
    if !isSimultaneous, let node = element.node { placement.addRegion(frame, of: node, self) }
    element.onlyContent.place(in: frame, placement)
    if isSimultaneous, let node = element.node { placement.addRegion(frame, of: node, self) }
  }
}

/// The progress of a gesture during one contact.
@MainActor
private final class GestureProgress {
  /// Whether the gesture has ended, so that the rest of the contact means nothing.
  var hasEnded = false
  /// The value with which the gesture was recognized in the contact.
  var recognized: Any?
  /// The action for the taps so far, if no further tap follows quickly.
  var alternative: (() -> Void)?
  /// The number of taps that followed each other quickly.
  private(set) var taps = 0
  /// The time of the last tap in nanoseconds.
  private var lastTap: UInt64?

  /// The longest time in seconds between two taps that follow each other.
  static let tapInterval = 0.35

  /// Counts a tap at a time, and returns whether it completes a sequence of `count` taps, each soon after the other.
  func completesTaps(_ count: Int, at now: UInt64) -> Bool {
    let isNext = lastTap.map { Double(now - $0) < Self.tapInterval * 1_000_000_000 } ?? false
    if !isNext || count <= 1 { endTaps() }
    taps = isNext ? taps + 1 : 1
    lastTap = now
    alternative = nil
    guard taps >= count else { return false }
    taps = 0
    return true
  }

  /// Ends a sequence of taps that is not complete.
  func endTaps() {
    let action = alternative
    (taps, alternative) = (0, nil)
    action?()
  }
}

extension RecognizingView: ContactRecognizer {
  var followsPinches: Bool { recognition.followsPinches }

  func handle(_ update: ContactUpdate, in node: ViewNode) {
    guard let progress = node.storage as? GestureProgress else { return }
    if update.phase == .began {
      (progress.hasEnded, progress.recognized) = (false, nil)
      if let duration = recognition.restDuration {
        node.run(after: duration) {
          if progress.recognized == nil { deliver(update.resting(for: duration), progress, node) }
        }
      }
    }
    if update.phase == .ended || update.phase == .cancelled { node.cancelRun() }
    if (update.translation * update.translation).sum() >= 100 { node.cancelRun() }
    deliver(update, progress, node)
    if update.phase == .ended || update.phase == .cancelled {
      for action in recognition.finished { action() }
    }
  }

  private func deliver(_ update: ContactUpdate, _ progress: GestureProgress, _ node: ViewNode) {
    var update = update
    update.recognized = progress.recognized
    guard !progress.hasEnded, let event = recognition.recognize(update) else { return }
    switch event {
    case .changed(let value):
      progress.recognized = value
      for action in recognition.changed { action(value) }
    case .ended(let value):
      progress.hasEnded = true
      guard progress.completesTaps(recognition.tapCount(value), at: node.graph.clock.now) else {
        return awaitTap(or: recognition.alternatives(update), progress, node)
      }
      for action in recognition.ended { action(value) }
    }
  }

  /// Ends the gesture with the first value for which the taps are enough, unless a further tap follows quickly.
  private func awaitTap(or values: [Value], _ progress: GestureProgress, _ node: ViewNode) {
    guard let value = values.first(where: { recognition.tapCount($0) <= progress.taps }) else { return }
    progress.alternative = { for action in recognition.ended { action(value) } }
    node.run(after: GestureProgress.tapInterval, timer: 1) { progress.endTaps() }
  }
}

extension ContactUpdate {
  /// Returns the update of a contact that has not moved for some seconds.
  fileprivate func resting(for seconds: Double) -> ContactUpdate {
    ContactUpdate(phase: .moved, location: location, start: start, frame: frame, seconds: seconds)
  }
}
