// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The phase of a capture button event.
public enum AVCaptureEventPhase: UInt, Sendable {
  /// The button was pressed.
  case began
  /// The button was released.
  case ended
  /// The press was canceled while the button is down; undo the effects of ``began``.
  case cancelled
}

/// An event of a capture button.
public final class AVCaptureEvent: Sendable {
  /// The phase of the event.
  public let phase: AVCaptureEventPhase
  /// The button.
  public let button: Button
  /// Whether the extension should play a sound for the event, with ``play(_:)``; Apple's property.
  ///
  /// It is `true` for a remote button, such as that of headphones, if the default sound was disabled at the
  /// delivery of the event. The user of such a button may not see the machine, so the sound confirms the
  /// press. A press that was ``AVCaptureEventPhase/cancelled`` has no sound.
  public let shouldPlaySound: Bool

  /// The capture buttons.
  public enum Button: Sendable {
    /// The shutter button.
    case primary
    /// The secondary button.
    case secondary
  }

  /// The number of the event in the session.
  private let id: Int
  /// The session of the event.
  let runtime: SessionRuntime

  @MainActor
  init(_ event: CaptureEvent, in runtime: SessionRuntime) {
    id = event.id
    self.runtime = runtime
    button = event.button == .primary ? .primary : .secondary
    phase =
      switch event.phase {
      case .began: .began
      case .ended: .ended
      case .cancelled: .cancelled
      }
    let isDefaultSoundDisabled = runtime.subscription == .withoutSound
    shouldPlaySound = event.source == .remote && isDefaultSoundDisabled && event.phase != .cancelled
  }

  /// Plays a sound for the event; Apple's method.
  ///
  /// Nothing is played unless ``shouldPlaySound`` is `true` and the event is at most 15 seconds old. A press
  /// and its release have one sound together. The host plays the sound; if it cannot, its log contains the
  /// reason. The call waits for the reply of the host, not for the end of the sound.
  ///
  /// Call it on the main thread, where events are handled; on any other thread, nothing is played and the
  /// result is `false`.
  ///
  /// - Parameter sound: The sound.
  /// - Returns: Whether playback has started.
  @discardableResult
  public func play(_ sound: AVCaptureEventSound) -> Bool {
    guard shouldPlaySound, runtime.isOnLoopThread else { return false }
    return MainActor.assumeIsolated {
      let request = ExtensionRequest.capturePlaySound(SoundRequest(event: id, sound.sound))
      // A failure of the connection ends the session separately.
      return (try? runtime.request(request, SoundResult.self).played) ?? false
    }
  }
}
