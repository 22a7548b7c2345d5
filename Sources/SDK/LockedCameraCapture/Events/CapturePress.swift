// SPDX-License-Identifier: Apache-2.0

/// A press of a capture button, classified as short or held.
///
/// Camera apps use one button for two functions: a press takes a photo, holding the button records a video
/// until its release. Apple leaves the distinction to each app, based on the phases of ``AVCaptureEvent``.
/// Here ``CapturePressInteraction`` and ``CaptureView/onCapturePress(isEnabled:minimumHold:action:)``
/// distinguish them.
public struct CapturePress: Sendable {
  /// The phase of a press.
  public enum Phase: Sendable, Hashable {
    /// The button was released before the minimum hold duration: take a photo.
    case pressed
    /// The button was down for the minimum hold duration: start to record.
    case holdBegan
    /// A held button was released: keep the recording.
    case holdEnded
    /// A held press was canceled, because its device was unplugged or the interaction was disabled: undo the
    /// effects of ``holdBegan``.
    case holdCancelled
  }

  /// The phase of the press.
  public let phase: Phase
  /// The button.
  public let button: AVCaptureEvent.Button
  /// The event that determined the phase: the press for ``Phase/holdBegan``, otherwise the last event of the
  /// press.
  ///
  /// It can be used to play a sound with ``AVCaptureEvent/play(_:)``.
  public let event: AVCaptureEvent
}
