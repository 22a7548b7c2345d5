// SPDX-License-Identifier: Apache-2.0

/// A recognizer that distinguishes a short press of a capture button from a held one; specific to Darkroom.
///
/// Attach its ``interaction`` to a view or a session. The duration of a press starts when the extension
/// receives the event. A button that is released before its hold was reported is a short press, even if a
/// slow handler delayed the report. Pressed buttons are canceled when the session is dismissed.
@MainActor
public final class CapturePressInteraction {
  /// A handler for a press.
  public typealias Handler = (CapturePress) throws -> Void

  /// The interaction to attach, enable and disable. Disabling it cancels held presses.
  public let interaction: AVCaptureEventInteraction

  /// Creates an interaction.
  ///
  /// - Parameters:
  ///   - minimumHold: The minimum duration of a held press. If it is zero or negative, every press counts as
  ///     held immediately.
  ///   - handler: The handler, called in the main actor. Errors that it throws are logged.
  public init(minimumHold: Duration = .milliseconds(500), handler: @escaping Handler) {
    let recognizer = PressRecognizer(minimumHold: minimumHold, handler)
    interaction = AVCaptureEventInteraction { try recognizer.handle($0) }
    interaction.onWithdrawal = { try recognizer.cancel() }
  }
}

/// The state of the buttons that are down.
@MainActor
private final class PressRecognizer {
  /// A button that is down.
  private struct Press {
    /// The event of the press.
    var event: AVCaptureEvent
    /// Whether the hold was reported.
    var isHeld = false
  }

  /// The minimum duration of a held press, in nanoseconds.
  private let minimumHold: UInt64
  private let handler: CapturePressInteraction.Handler
  private var presses: [AVCaptureEvent.Button: Press] = [:]

  init(minimumHold: Duration, _ handler: @escaping CapturePressInteraction.Handler) {
    let (seconds, attoseconds) = minimumHold.components
    self.minimumHold =
      UInt64(min(max(0, seconds), Self.maximumHoldSeconds)) * 1_000_000_000 + UInt64(max(0, attoseconds))
      / 1_000_000_000
    self.handler = handler
  }

  /// One year, in seconds: an upper limit that can be added to any time without overflow.
  private static let maximumHoldSeconds: Int64 = 366 * 86_400

  /// Handles an event.
  func handle(_ event: AVCaptureEvent) throws {
    let previous = presses[event.button]
    switch event.phase {
    case .began:
      presses[event.button] = Press(event: event)
      let due = event.runtime.clock.now + minimumHold
      event.runtime.alarms[Alarm.Key(self, event.button)] = Alarm(due: due) {
        [weak self] in
        try self?.beginHold(event)
      }
    case .ended:
      removePress(event)
      guard let previous else { return }
      try report(previous.isHeld ? .holdEnded : .pressed, event)
    case .cancelled:
      removePress(event)
      if previous?.isHeld == true { try report(.holdCancelled, event) }
    }
  }

  /// Cancels every held press, and forgets all pressed buttons.
  func cancel() throws {
    let previous = presses
    for press in previous.values { removePress(press.event) }
    for press in previous.values where press.isHeld { try report(.holdCancelled, press.event) }
  }

  private func beginHold(_ event: AVCaptureEvent) throws {
    presses[event.button]?.isHeld = true
    try report(.holdBegan, event)
  }

  private func removePress(_ event: AVCaptureEvent) {
    presses[event.button] = nil
    event.runtime.alarms[Alarm.Key(self, event.button)] = nil
  }

  private func report(_ phase: CapturePress.Phase, _ event: AVCaptureEvent) throws {
    try handler(CapturePress(phase: phase, button: event.button, event: event))
  }
}
