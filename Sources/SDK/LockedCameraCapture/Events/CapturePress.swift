// SPDX-License-Identifier: Apache-2.0

/// What a press of a capture button has turned out to be: short, or held.
///
/// Camera apps make two things of one button: a press takes a photo, and holding it films until it is let go. Apple leaves
/// that to every app, with the phases of ``AVCaptureEvent``; here ``CapturePressInteraction`` and
/// ``CaptureView/onCapturePress(isEnabled:minimumHold:action:)`` tell the two apart.
public struct CapturePress: Sendable {
  /// How far it is.
  public enum Phase: Sendable, Hashable {
    /// The button was let go before it was held: take the photo.
    case pressed
    /// The button has been down for long enough: begin to film.
    case holdBegan
    /// It was let go after that: keep what was filmed.
    case holdEnded
    /// It is held, but what it means is no longer wanted, because its device was unplugged, or the interaction is disabled:
    /// undo what ``holdBegan`` has begun.
    case holdCancelled
  }

  /// How far it is.
  public let phase: Phase
  /// Which button it is.
  public let button: AVCaptureEvent.Button
  /// The event by which that is known: the press for ``Phase/holdBegan``, the last one otherwise. With it a sound can be
  /// played (``AVCaptureEvent/play(_:)``).
  public let event: AVCaptureEvent
}
