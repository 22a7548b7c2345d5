// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// A delegate that is notified when the appearance of a session's controls changes; Apple's protocol.
///
/// The methods are called on the queue that was passed to ``AVCaptureSession/setControlsDelegate(_:queue:)``.
public protocol AVCaptureSessionControlsDelegate: AnyObject {
  /// The user has started to use the controls.
  func sessionControlsDidBecomeActive(_ session: AVCaptureSession)
  /// The controls are about to fill the display: hide the user interface around the viewfinder.
  func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession)
  /// The controls are about to leave full screen: show the hidden user interface again.
  func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession)
  /// The user has stopped using the controls, or cannot use them.
  func sessionControlsDidBecomeInactive(_ session: AVCaptureSession)
}

/// A weak reference to a delegate, with its queue.
///
/// `@unchecked Sendable`, because Apple's delegates need not be Sendable: the delegate is only passed on, and
/// called on its queue.
struct ControlsDelegateEntry: @unchecked Sendable {
  weak var delegate: (any AVCaptureSessionControlsDelegate)?
  /// The queue on which the delegate is called, or `nil` for the main queue.
  var queue: DispatchQueue?

  /// Calls a method of the delegate on its queue.
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

/// The methods of a delegate.
enum ControlsDelegateMethod: Sendable {
  /// The user has started to use the controls.
  case becameActive
  /// The controls are about to fill the display.
  case entersFullscreen
  /// The controls are about to leave full screen.
  case exitsFullscreen
  /// The user has stopped using the controls.
  case becameInactive
}
