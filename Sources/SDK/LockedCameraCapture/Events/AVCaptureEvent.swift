// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What a capture button did.
public enum AVCaptureEventPhase: UInt, Sendable {
  /// It was pressed.
  case began
  /// It was released.
  case ended
  /// It is pressed, but what it means is no longer wanted; undo what ``began`` has begun.
  case cancelled
}

/// A capture button moved.
public final class AVCaptureEvent: Sendable {
  /// What the button did.
  public let phase: AVCaptureEventPhase
  /// Which button it was.
  public let button: Button
  /// Whether the extension should play a sound for it, with ``play(_:)``; Apple's.
  ///
  /// It is true for a button that is not on the machine, as one on headphones, if the default sound was disabled when the
  /// event was delivered: whoever presses it may not see the machine, and hears so that it has heard them. A press that
  /// was ``AVCaptureEventPhase/cancelled`` has no sound.
  public let shouldPlaySound: Bool

  /// The capture buttons.
  public enum Button: Sendable {
    /// The shutter.
    case primary
    /// The other one.
    case secondary
  }

  /// The event's number in the session.
  private let id: Int
  /// The session that it belongs to.
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
    let isSilent = runtime.subscription == .withoutSound
    shouldPlaySound = event.source == .remote && isSilent && event.phase != .cancelled
  }

  /// Plays a sound for the event, and says whether it has begun; Apple's.
  ///
  /// Nothing happens unless ``shouldPlaySound`` is true and the event is not older than 15 seconds. A press and its release
  /// have one sound together. The host plays it, and says no if it cannot: its log explains why. The call waits for the
  /// host's answer, not for the end of the sound.
  ///
  /// Call it in the main thread, where events are handled; anywhere else nothing is played, and the answer is false.
  @discardableResult
  public func play(_ sound: AVCaptureEventSound) -> Bool {
    guard shouldPlaySound, runtime.isTurnOfThisThread else { return false }
    return MainActor.assumeIsolated {
      let request = ExtensionRequest.capturePlaySound(SoundRequest(event: id, sound.sound))
      // A conversation that has failed ends the session by itself.
      return (try? runtime.request(request, SoundResult.self).played) ?? false
    }
  }
}
