// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Hears how the controls of a session stand before the person; Apple's protocol.
///
/// The methods are called in the queue that ``AVCaptureSession/setControlsDelegate(_:queue:)`` was given.
public protocol AVCaptureSessionControlsDelegate: AnyObject {
  /// The person has begun to use the controls.
  func sessionControlsDidBecomeActive(_ session: AVCaptureSession)
  /// The controls are about to fill the display: take away what you draw beside the viewfinder.
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession)
  /// The controls are about to fill the display no longer: draw again what you have taken away.
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession)
  /// The person uses the controls no longer, or cannot.
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession)
}

/// A delegate, as long as somebody else keeps it, and where it is called.
///
/// Unchecked, because Apple's delegates need not be Sendable: this one is only passed on, and called in the queue that came
/// with it.
struct ControlsDelegateEntry: @unchecked Sendable {
  /// The delegate.
  weak var delegate: (any AVCaptureSessionControlsDelegate)?
  /// Where it is called; nil: in the main queue.
  var queue: DispatchQueue?

  /// Calls one of its methods.
  func call(_ method: ControlsDelegateMethod, _ session: AVCaptureSession) {
    let entry = self
    (queue ?? .main).async {
      guard let delegate = entry.delegate else { return }
      switch method {
      case .becameActive: delegate.sessionControlsDidBecomeActive(session)
      case .entersFullscreen: delegate.sessionControlsWillEnterFullscreenAppearance(session)
      case .exitsFullscreen: delegate.sessionControlsWillExitFullscreenAppearance(session)
      case .becameInactive: delegate.sessionControlsDidBecomeInactive(session)
      }
    }
  }
}

/// What a delegate can hear.
enum ControlsDelegateMethod: Sendable {
  /// The person has begun to use the controls.
  case becameActive
  /// The controls are about to fill the display.
  case entersFullscreen
  /// They are about to fill it no longer.
  case exitsFullscreen
  /// The person uses them no longer.
  case becameInactive
}
