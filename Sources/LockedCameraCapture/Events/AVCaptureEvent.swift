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

  /// The capture buttons.
  public enum Button: Sendable {
    /// The shutter.
    case primary
    /// The other one.
    case secondary
  }

  init(_ event: CaptureEvent) {
    button = event.button == .primary ? .primary : .secondary
    phase =
      switch event.phase {
      case .began: .began
      case .ended: .ended
      case .cancelled: .cancelled
      }
  }
}
