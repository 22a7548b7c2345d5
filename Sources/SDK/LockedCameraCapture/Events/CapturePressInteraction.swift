// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Tells a short press of a capture button from one that is held; Darkroom's own. Attach its ``interaction`` to a view or to
/// a session, as any other.
///
/// How long a button is down counts from when the extension hears of the press. One that is let go before its hold was told
/// is short, also if a handler has kept the extension from looking for longer. What is down when the session is dismissed is
/// cancelled.
@MainActor
public final class CapturePressInteraction {
  /// What is done with a press.
  public typealias Handler = (CapturePress) throws -> Void

  /// What is attached, enabled and disabled. Disabling it cancels what is held.
  public let interaction: AVCaptureEventInteraction

  /// Makes an interaction.
  ///
  /// - Parameters:
  ///   - minimumHold: How long a button has to be down to be held. Zero or less: every press is held at once.
  ///   - handler: What is done. What it throws goes to the session's log.
  public init(minimumHold: Duration = .milliseconds(500), handler: @escaping Handler) {
    let recognizer = PressRecognizer(minimumHold: minimumHold, handler)
    interaction = AVCaptureEventInteraction { try recognizer.take($0) }
    interaction.withdrawn = { try recognizer.cancel() }
  }
}

/// What is known of the buttons that are down.
@MainActor
private final class PressRecognizer {
  /// A button that is down.
  private struct Press {
    /// Its beginning.
    var event: AVCaptureEvent
    /// Whether its hold was told.
    var isHeld = false
  }

  /// In nanoseconds.
  private let minimumHold: UInt64
  private let handler: CapturePressInteraction.Handler
  private var presses: [AVCaptureEvent.Button: Press] = [:]

  init(minimumHold: Duration, _ handler: @escaping CapturePressInteraction.Handler) {
    let (seconds, attoseconds) = minimumHold.components
    self.minimumHold =
      UInt64(min(max(0, seconds), Self.longest)) * 1_000_000_000 + UInt64(max(0, attoseconds)) / 1_000_000_000
    self.handler = handler
  }

  /// A year, in seconds: as good as never, and to be added to any time.
  private static let longest: Int64 = 366 * 86_400

  /// Takes an event.
  func take(_ event: AVCaptureEvent) throws {
    let before = presses[event.button]
    switch event.phase {
    case .began:
      presses[event.button] = Press(event: event)
      event.runtime.alarms[Alarm.Key(self, event.button)] = Alarm(due: MonotonicClock.now + minimumHold) {
        [weak self] in
        try self?.hold(event)
      }
    case .ended:
      forget(event)
      guard let before else { return }
      try tell(before.isHeld ? .holdEnded : .pressed, event)
    case .cancelled:
      forget(event)
      if before?.isHeld == true { try tell(.holdCancelled, event) }
    }
  }

  /// Tells of every hold that it is over, and forgets all that is down.
  func cancel() throws {
    let before = presses
    for press in before.values { forget(press.event) }
    for press in before.values where press.isHeld { try tell(.holdCancelled, press.event) }
  }

  private func hold(_ event: AVCaptureEvent) throws {
    presses[event.button]?.isHeld = true
    try tell(.holdBegan, event)
  }

  private func forget(_ event: AVCaptureEvent) {
    presses[event.button] = nil
    event.runtime.alarms[Alarm.Key(self, event.button)] = nil
  }

  private func tell(_ phase: CapturePress.Phase, _ event: AVCaptureEvent) throws {
    try handler(CapturePress(phase: phase, button: event.button, event: event))
  }
}
